// How the work of a batched GEMM is dealt out to threads.
#pragma once

#include <cstdint>

#include "trntensor/host/blocking.hpp"
#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// `items`, `rows` and `sums` slices are run side by side by `column_threads` threads each, which share blocks of A.
/// At most one of the three is more than 1.
struct Partition {
  int items = 1;           ///< slices of the batch
  int rows = 1;            ///< slices of m
  int sums = 1;            ///< slices of k, added up in their order afterwards
  int column_threads = 1;  ///< workers that divide the columns of a slice
  [[nodiscard]] int threads() const noexcept { return items * rows * sums * column_threads; }
};

/// Uses at most `threads` threads and no more than the work is worth; no slices of k where the result must not depend
/// on their number.
Partition choose_partition(const BinaryProblem& problem, const GemmKernel& kernel, int threads);

}  // namespace trntensor::host
