// What every path finder would do first, done once: the network made smaller without losing the best order.
#pragma once

#include <vector>

#include "trntensor/plan/contraction_tree.hpp"
#include "trntensor/plan/network.hpp"

namespace trntensor::plan {

/// Without the labels that do not change the best order: those of extent 1, which cost nothing, and those of one
/// operand that neither another operand nor the output needs, which are summed before any product.
Network without_idle_labels(const Network& network);

/// A network and, for each of its tensors, the node of the tree that it is.
struct Reduced {
  Network network;
  std::vector<int> nodes;
};

/// Of a network without idle labels:
/// - Tensors with the same labels are multiplied at once (added to `tree`): any other order costs at least as much,
///   since whichever of the two is used first, the product over their labels has to be taken later all the same
///   (which is not so where a label is empty; then this is left out).
/// - Labels held by the same tensors are fused to one of the product of their extents.
Reduced simplify(const Network& network, ContractionTree& tree);

/// The connected parts of a network, each with its own labels only. Tensors are connected by a label they share.
/// `nodes` are carried along; parts come in the order of their first tensor.
std::vector<Reduced> connected_parts(const Reduced& reduced);

}  // namespace trntensor::plan
