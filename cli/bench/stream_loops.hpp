// The loops whose speed is the bandwidth.
#pragma once

#include <cstdint>

namespace trntensor::cli::bench {

/// On arrays of `count` elements (a multiple of 64) aligned to 64 bytes, `repetitions` times.
struct StreamArrays {
  double* a = nullptr;
  const double* b = nullptr;
  const double* c = nullptr;
  std::int64_t count = 0;
  std::int64_t repetitions = 1;
};

double stream_read(const StreamArrays& arrays);         ///< the sum of b
double stream_copy(const StreamArrays& arrays);         ///< a = b
double stream_triad(const StreamArrays& arrays);        ///< a = b + 0.5 c
double stream_past_caches(const StreamArrays& arrays);  ///< a = b with stores that do not read a first

}  // namespace trntensor::cli::bench
