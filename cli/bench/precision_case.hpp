// Cases that are one matrix product in a mode of precision.
#pragma once

#include "cli/bench/case.hpp"
#include "trntensor/plan/options.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli::bench {

/// Of n x n x n. The yardstick is the same product in mode fast, on the same operands. The error is that of a smaller
/// product of the same n terms, of reals in [-1, 1), with the oracle's.
Case precision_case(std::string suite, Precision precision, std::int64_t n, DType dtype, int threads);

/// The largest distance of elements from those of `right`, of the same shape and type (float64 or float32), in units
/// in the last place of the latter.
double largest_ulps(const Tensor& result, const Tensor& right);

}  // namespace trntensor::cli::bench
