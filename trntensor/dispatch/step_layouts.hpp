// The tensors that the steps of a plan take and make, and their layouts.
#pragma once

#include <cstdint>
#include <vector>

#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor::dispatch {

/// The axes of a view as a step sees them: diagonals merged, broadcast axes left out.
OperandLayout operand_layout(const Spec& spec, std::size_t operand, const TensorView& view, DType load_as);

/// An intermediate: a C-ordered tensor.
struct PackedLayout {
  OperandLayout layout;
  std::int64_t elements = 0;
};

/// Over the labels, in their order. Throws as pack_axes.
PackedLayout packed_layout(const Spec& spec, const Labels& labels, DType dtype);

/// For each step the numbers of the tensors it takes: operands of the plan first, then the results in order of the
/// steps.
std::vector<std::vector<std::size_t>> inputs_of_steps(const Plan::Contents& plan);

/// Where the contraction sums over a label of extent 0, makes every element of the last step's result a sum over
/// nothing. Without it a sum over nothing of one operand, a 0, would meet the NaN and infinities of the others, where
/// the contraction as a whole has no terms.
void sum_over_nothing(const Spec& spec, StepProblem& last);

}  // namespace trntensor::dispatch
