// What a pair of tensors costs to contract, and who still needs which label.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trntensor/plan/label_set.hpp"
#include "trntensor/plan/network.hpp"

namespace trntensor::plan {

/// Sizes and costs stop growing here, so that sums and differences of them stay finite.
inline constexpr double kHugeCost = 1e300;

/// a * b for numbers in [0, kHugeCost].
inline double bounded_product(double a, double b) noexcept { return std::min(a * b, kHugeCost); }

/// Product of the extents of a set of labels (1 for none).
double product(const LabelSet& labels, std::span<const double> extents);

struct PairCost {
  double macs = 0;      ///< multiply-adds
  double elements = 0;  ///< of the result
};

/// Counts how many of the tensors still to be contracted have each label; the output counts as one of them. A label
/// of several tensors (a hyperedge) is summed only where its last two holders meet.
class LabelUses {
 public:
  explicit LabelUses(const Network& network);

  /// Labels in one of a and b only that nobody else needs: they are summed before the pair is multiplied.
  [[nodiscard]] LabelSet presummed(const LabelSet& a, const LabelSet& b) const;

  /// Labels of the result of a and b, which must both be among the tensors counted.
  [[nodiscard]] LabelSet result(const LabelSet& a, const LabelSet& b) const;

  /// Multiply-adds: the product of the extents of all labels of the pair but the presummed ones.
  [[nodiscard]] PairCost cost(const LabelSet& a, const LabelSet& b) const noexcept;

  /// The tensors a and b are replaced by `result`.
  void replace(const LabelSet& a, const LabelSet& b, const LabelSet& result);

 private:
  void add(const LabelSet& labels, int amount);

  std::span<const double> extents_;
  std::vector<int> count_;
  LabelSet once_;   // labels that one holder is left of
  LabelSet twice_;  // labels that two are left of
};

}  // namespace trntensor::plan
