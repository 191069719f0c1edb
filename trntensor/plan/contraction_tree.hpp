// A contraction order as a binary tree, and the same order as a list of steps.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "trntensor/plan/network.hpp"

namespace trntensor::plan {

/// Steps in order. Tensors are numbered: first the operands, then the results of the steps; each is used once.
using SsaPath = std::vector<std::array<int, 2>>;

/// Nodes 0..leaves-1 are the operands, node leaves + k joins children[k]. Nodes may stand in any order.
struct ContractionTree {
  int leaves = 0;
  std::vector<std::array<int, 2>> children;
  int root = 0;

  [[nodiscard]] bool is_leaf(int node) const noexcept { return node < leaves; }
  [[nodiscard]] const std::array<int, 2>& children_of(int node) const noexcept {
    return children[static_cast<std::size_t>(node - leaves)];
  }

  /// A node over a and b.
  int join(int a, int b);

  /// Nodes over the tensors `members` in the order of `path`, which numbers them 0.. ; the last node made, or the only
  /// member.
  int join(const std::vector<int>& members, const SsaPath& path);

  /// Every node that joins, children before parents.
  [[nodiscard]] std::vector<int> joins_in_order() const;
};

/// Per node of the tree: elements of its tensor.
std::vector<double> node_elements(const ContractionTree& tree, const Network& network);

/// The tree's steps in the order that keeps the fewest elements alive at once, of all that finish one branch before
/// they start the other (J. W. H. Liu, SIAM J. Algebraic Discrete Methods 8, 375 (1987)). Operands do not count.
SsaPath order_for_memory(const ContractionTree& tree, const std::vector<double>& elements);

/// Multiply-adds of all steps.
double total_macs(const SsaPath& path, const Network& network);

}  // namespace trntensor::plan
