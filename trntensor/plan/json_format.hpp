// What the writer and the reader of a plan's JSON agree on; the names are in docs/plan-json.md.
#pragma once

#include <algorithm>
#include <cmath>

namespace trntensor::plan {

inline constexpr int kJsonFormat = 1;

/// Logarithms of counts. Less than one counts as one, since JSON has no infinity.
inline double log10_count(double count) { return std::log10(std::max(count, 1.0)); }
inline double log2_count(double count) { return std::log2(std::max(count, 1.0)); }

}  // namespace trntensor::plan
