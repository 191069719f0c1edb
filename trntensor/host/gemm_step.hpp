// The route that takes every step of two operands: batched matrix multiplication.
#pragma once

#include <memory>
#include <string_view>

#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// Prepares a classified step for the packed GEMM engine; every BinaryProblem is taken, also with sizes of 0.
///
/// Dtypes: products and sums in `kernel_dtype(accumulator)`; when the result has another type, partial sums wait in a
/// workspace and are rounded once. Operands that both are bfloat16 are multiplied in pairs by the CPU's dot product
/// where choose_gemm_kernel finds that worth while. Accuracy: the error of each real or imaginary part is below (KC +
/// ceil(k / KC)) eps sum |a||b|, 128 <= KC <= 512 as choose_blocking gives it: KC multiply-adds one after another (2 KC
/// for a part of a complex number), then the blocks in their order, each rounding eps / 2. Few tiles and a long sum
/// make S slices of it, one a thread, which add S blocks and S additions at most: only there does the result depend on
/// the number of threads. In pairs subnormal numbers count as zero: 2^-126 (1 + |a| + |b|) more for each term.
/// Compensated: Dot2, error below 2^-53 |result| + about (k 2^-53)^2 sum |a||b|; compensated twice: 2^-53 |result| +
/// 2^-102 sum |a||b|, unless products leave the range of the exponents (see double_double_step.hpp).
/// Cost: workspace of a block of A per thread and a block of B, some MiB, kept for the next call.
/// `instruction_set` as for choose_gemm_kernel. Throws Unsupported as kernel_dtype does, and when compensation is asked
/// for sums other than float64 and complex128.
std::unique_ptr<const PreparedStep> prepare_gemm(const BinaryProblem& problem, std::string_view instruction_set = {});

}  // namespace trntensor::host
