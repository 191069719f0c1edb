// A path the caller gives, as NumPy and opt_einsum write them.
#pragma once

#include "trntensor/plan/contraction_tree.hpp"
#include "trntensor/plan/network.hpp"
#include "trntensor/plan/options.hpp"

namespace trntensor::plan {

/// Each entry names positions in the current list of tensors, which are removed and whose result is appended. An entry
/// of more than two is ordered by the greedy search. The order of the entries is kept.
/// Throws InvalidArgument that names the entry: a position outside the list or twice, an entry of less than two (except
/// for a contraction of one operand), tensors left at the end.
SsaPath expand_path(const ContractionPath& path, const Network& network);

}  // namespace trntensor::plan
