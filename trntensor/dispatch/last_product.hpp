// The last step of a contraction, ready to be computed in pieces: everything before it is done.
#pragma once

#include <span>

#include "trntensor/dispatch/options.hpp"
#include "trntensor/epilogue/symmetry.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor::dispatch {

struct LastProduct {
  StepProblem problem;  ///< `out` has labels and extents, no strides
  TensorView a;         ///< operands of the call, or intermediates
  TensorView b;
  epilogue::Exchange exchange;        ///< labels that can change places because a and b are one tensor
  std::vector<Tensor> intermediates;  ///< kept alive
};

/// Contracts what comes before the last step of `plan`, and sums labels of one operand alone. Throws as einsum.
LastProduct find_last_product(const Plan::Contents& plan, std::span<const TensorView> operands,
                              const EinsumOptions& options);

}  // namespace trntensor::dispatch
