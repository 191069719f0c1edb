// What the multiply-add units of this machine can do.
#pragma once

#include <stop_token>
#include <string>

#include "cli/bench/measure.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor::cli::bench {

struct Peak {
  double gflops = 0;         ///< of all threads together, 2 operations a multiply-add
  std::string instructions;  ///< "multiply-add, AVX3", "dot product of bfloat16, AVX-512"
};

/// Multiply-adds in registers only, by the widest vectors of this CPU, on `threads` threads at once. bfloat16 is the
/// CPU's dot product, which sums in float32, and the multiply-adds of float32 where it has none.
struct PeakWork {
  double flops = 0;  ///< of a call
  Contestant contestant;
};

/// Throws Unsupported for other types than float64, float32 and bfloat16.
PeakWork peak_work(DType dtype, int threads);

/// By the median of many short runs.
Peak measure_peak(DType dtype, int threads, const std::stop_token& stop = {});

}  // namespace trntensor::cli::bench
