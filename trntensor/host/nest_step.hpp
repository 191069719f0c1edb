// The route for steps of two operands that no packed matrix multiplication pays for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// Why this route leaves a step to the GEMM engine, or nothing when it is the one to take it: elementwise and outer
/// products, dot products, matrix times vector, products of matrices with few rows or columns or terms.
std::optional<std::string> nest_declines(const BinaryProblem& problem);

/// Prepares any classified step, also one that `nest_declines` would leave. Accuracy and cost as for NestEngine.
/// `instruction_set` as for choose_gemm_kernel. Throws Unsupported for sums in 8- or 16-bit floats and for compensation
/// of anything but float64 and complex128.
std::unique_ptr<const PreparedStep> prepare_nest(const BinaryProblem& problem, std::string_view instruction_set = {});

}  // namespace trntensor::host
