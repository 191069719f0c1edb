// Formulas that do not change when labels are exchanged, so that half of the work is enough.
#pragma once

#include <utility>
#include <vector>

#include "trntensor/epilogue/formula.hpp"

namespace trntensor::epilogue {

/// Labels that change places with each other; each label is in one pair at most.
using Exchange = std::vector<std::pair<Label, Label>>;

/// The label that takes the place of `label`.
Label exchanged(const Exchange& exchange, Label label) noexcept;

/// True when the value of a node is the same after `exchange`, for elements that are: x[i,a,j,b] = x[j,b,i,a] where i
/// and j, a and b are exchanged. Sums and products are compared without regard to order. May miss a symmetry (false is
/// always safe), never invents one.
bool is_symmetric(const Formula& formula, int node, const Exchange& exchange);

}  // namespace trntensor::epilogue
