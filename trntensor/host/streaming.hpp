// When results are written past the caches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {

// Written past the caches, a line is not read first, which is a third to a half of the traffic; but its reader will
// not find it there either.

/// True for permuted results: their lines are written far apart, for which no hardware prefetches.
inline bool is_worth_streaming_apart(std::int64_t bytes) { return bytes >= 4 * cpu_info().l2_bytes; }

/// True for results written one line after another, which only pays when they would not stay in the last cache.
inline bool is_worth_streaming_in_order(std::int64_t bytes) {
  return bytes >= std::max(4 * cpu_info().l2_bytes, cpu_info().l3_bytes / 4);
}

}  // namespace trntensor::host
