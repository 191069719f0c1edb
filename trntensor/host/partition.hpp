// How the work of a batched GEMM is dealt out to threads.
#pragma once

#include <cstdint>

#include "trntensor/host/blocking.hpp"
#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// `items`, `columns` and `sums` slices are run side by side by `row_threads` threads each, which share blocks of B.
/// At most one of the three is more than 1.
struct Partition {
  int items = 1;        ///< slices of the batch
  int columns = 1;      ///< slices of n
  int sums = 1;         ///< slices of k, added up in their order afterwards
  int row_threads = 1;  ///< workers that divide the rows of a slice
  [[nodiscard]] int threads() const noexcept { return items * columns * sums * row_threads; }
};

/// Uses at most `threads` threads and no more than the work is worth; no slices of k where the result must not depend
/// on their number.
Partition choose_partition(const BinaryProblem& problem, const GemmKernel& kernel, int threads);

}  // namespace trntensor::host
