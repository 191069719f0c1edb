// How fast each level of the memory is.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace trntensor::cli::bench {

/// Bandwidths of all threads together in GB/s (1e9 bytes). What the loop reads and writes is counted once; that a
/// store may read its line first is not.
struct StreamLevel {
  std::string name;  ///< "L1", "L2", "L3", "memory"
  int threads = 1;
  std::int64_t bytes = 0;  ///< all arrays of one thread
  double read = 0;         ///< all three arrays
  double copy = 0;         ///< a = b
  double triad = 0;        ///< a = b + 0.5 c
  double past_caches = 0;  ///< a = b with stores that pass the caches by
  [[nodiscard]] double best() const;
};

/// All levels, the arrays of each filling half of it (one thread's share of L3), of memory three times L3
/// (512 MiB at least, 1.5 GiB at most).
/// `seconds` is how long each loop of each level is measured. Throws Cancelled, OutOfMemory.
std::vector<StreamLevel> measure_stream(int threads, double seconds, const std::stop_token& stop);

/// Memory only.
StreamLevel measure_memory(int threads, double seconds, const std::stop_token& stop);

}  // namespace trntensor::cli::bench
