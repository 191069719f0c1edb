// The route for steps so small that a call costs more than its arithmetic.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// Why this route leaves a step to another one, or nothing when it is the one to take it: one product, or a batch of
/// them, of matrices of up to some 96 x 96, each with one stride for its rows and one for its columns, in the type of
/// the sums.
std::optional<std::string> small_declines(const BinaryProblem& problem);

/// Prepares a step of any size for the kernels of small.hpp, which read the operands where they are; a `b` whose
/// columns do not lie side by side is first brought into a buffer of at most 64 KiB on the stack. Nothing else is
/// allocated when it runs.
///
/// Accuracy: the error of each real or imaginary part is below (k + 2) eps sum |a||b|, 2 k for a part of a complex
/// number, whatever the number of threads.
/// `instruction_set` as for choose_gemm_kernel. Throws Unsupported for a step with extents of 0, converted elements,
/// compensation, groups of several loops or a result whose columns do not lie side by side, with the reason.
std::unique_ptr<const PreparedStep> prepare_small(const BinaryProblem& problem, std::string_view instruction_set = {});

}  // namespace trntensor::host
