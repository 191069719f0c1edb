// Labels of one operand only that are not in the result: summed there before anything is multiplied.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// Whether `operand` has a label that is neither in the other operand nor in the result.
bool has_lone_label(const OperandLayout& operand, const OperandLayout& other, const OperandLayout& out);

/// Prepares a step of two operands none of which has labels to itself that are not in the result.
using PrepareProduct = std::function<std::unique_ptr<const PreparedStep>(const StepProblem&)>;

/// sum_xyz a[.., x] * b[.., y] = (sum_x a) * (sum_y b): prepares the sums of such labels into packed workspaces of the
/// accumulator type, and with `prepare_product` the product of what is left. A step without such labels is handed on
/// as it is. Compensated sums are kept as two numbers, so that nothing is rounded halfway, unless an operand that they
/// are multiplied by has an element that is not finite.
/// Cost: for the time of a run, a workspace the size of what is left of each operand that is summed first, without axes
/// of stride 0; twice that for compensated sums.
std::unique_ptr<const PreparedStep> prepare_with_presum(const StepProblem& problem, std::string_view instruction_set,
                                                        const PrepareProduct& prepare_product);

}  // namespace trntensor::host
