// The route for steps of one operand.
#pragma once

#include <memory>
#include <string_view>

#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// Prepares out = alpha * sum(a) + beta * out; `problem.b` must be absent. Permutation, diagonal, broadcast, reduction
/// over any labels and conversion.
///
/// A step that only moves values (alpha 1, beta 0, no sum, every type on the way holds all values of the next) keeps
/// their bits, NaN payloads and the sign of zero too. Accuracy of sums and cost as for NestEngine.
/// `instruction_set` as for choose_gemm_kernel. Throws Unsupported for sums in 8- or 16-bit floats and for compensation
/// of anything but float64 and complex128, InvalidArgument when the extents of a label differ.
std::unique_ptr<const PreparedStep> prepare_unary(const StepProblem& problem, std::string_view instruction_set = {});

}  // namespace trntensor::host
