// A contraction as the path finders see it: which tensor has which labels, and how long each label is.
#pragma once

#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/plan/label_set.hpp"

namespace trntensor::plan {

/// Tensors as sets of labels. `extents` are doubles because fused labels and plans nobody would run exceed 64 bits.
struct Network {
  std::vector<double> extents;    ///< per label
  std::vector<LabelSet> tensors;  ///< per operand
  LabelSet output;                ///< labels of the result

  [[nodiscard]] int size() const noexcept { return static_cast<int>(tensors.size()); }
};

/// Labels as a set of `count` possible ones.
LabelSet set_of(const Labels& labels, std::size_t count);

/// True when some label has extent 0: then some steps cost nothing, and those that cost something are not needed.
bool has_empty_label(const Network& network);

/// The network of a spec: the distinct labels of each operand, broadcast axes left out.
Network network_of(const Spec& spec);

}  // namespace trntensor::plan
