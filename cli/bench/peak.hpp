// What the multiply-add units of this machine can do.
#pragma once

#include <string>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::cli::bench {

struct Peak {
  double gflops = 0;         ///< of all threads together, 2 operations a multiply-add
  std::string instructions;  ///< "multiply-add, AVX3", "dot product of bfloat16, AVX-512"
};

/// Multiply-adds in registers only, by the widest vectors of this CPU, on `threads` threads at once; the best of many
/// short runs, so that neighbours on the machine count least. bfloat16 is the CPU's dot product, which sums in float32,
/// and the multiply-adds of float32 where it has none. Throws Unsupported for other types than float64, float32 and
/// bfloat16.
Peak measure_peak(DType dtype, int threads);

}  // namespace trntensor::cli::bench
