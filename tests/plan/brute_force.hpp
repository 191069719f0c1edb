// The cheapest order found by trying all of them.
#pragma once

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "trntensor/einsum/spec.hpp"

namespace trntensor::testing {

/// Which pairs may be joined: any two, or two without a common label only when no two have one.
enum class Pairs { kAny, kContractionsFirst };

/// Independent of the planner: sets of labels, recursion over all pairs.
class BruteForce {
 public:
  BruteForce(const Spec& spec, Pairs pairs) : spec_(spec), pairs_(pairs), output_(set_of(spec.output)) {
    for (const Labels& labels : spec.inputs) operands_.push_back(set_of(labels));
    for (auto& operand : operands_) {
      std::set<Label> rest;
      for (const Label label : operand) {
        if (is_needed(label, operands_, &operand)) rest.insert(label);
      }
      clean_.push_back(rest);
    }
  }

  /// Fewest multiply-adds of any order.
  [[nodiscard]] double least_macs() const { return search(clean_); }

  /// True when some part of the network contracts to a single number, or an operand is one.
  [[nodiscard]] bool has_scalar_part() const {
    std::vector<std::set<Label>> rest = clean_;
    while (!rest.empty()) {
      std::set<Label> part = rest.back();
      rest.pop_back();
      for (bool grew = true; grew;) {
        grew = false;
        for (std::size_t t = 0; t < rest.size(); ++t) {
          if (!share(part, rest[t])) continue;
          part.insert(rest[t].begin(), rest[t].end());
          rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(t));
          grew = true;
          break;
        }
      }
      const bool open = std::any_of(part.begin(), part.end(),
                                    [&](Label label) { return output_.contains(label) && extent(label) != 1; });
      if (!open) return true;
    }
    return false;
  }

 private:
  using Tensor = std::set<Label>;

  static Tensor set_of(const Labels& labels) { return {labels.begin(), labels.end()}; }
  [[nodiscard]] double extent(Label label) const {
    return static_cast<double>(spec_.extents[static_cast<std::size_t>(label)]);
  }

  [[nodiscard]] bool is_needed(Label label, const std::vector<Tensor>& tensors, const Tensor* but) const {
    return output_.contains(label) || std::any_of(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
             return &tensor != but && tensor.contains(label);
           });
  }

  // A common label of extent 1 connects nothing.
  [[nodiscard]] bool share(const Tensor& a, const Tensor& b) const {
    return std::any_of(a.begin(), a.end(), [&](Label label) { return extent(label) != 1 && b.contains(label); });
  }

  [[nodiscard]] double search(const std::vector<Tensor>& tensors) const {
    if (tensors.size() == 1) return 0;
    bool contractions = false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) contractions = contractions || share(tensors[i], tensors[j]);
    }
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (pairs_ == Pairs::kContractionsFirst && contractions && !share(tensors[i], tensors[j])) continue;
        best = std::min(best, join(tensors, i, j));
      }
    }
    return best;
  }

  [[nodiscard]] double join(const std::vector<Tensor>& tensors, std::size_t i, std::size_t j) const {
    std::vector<Tensor> rest;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (t != i && t != j) rest.push_back(tensors[t]);
    }
    Tensor all = tensors[i];
    all.insert(tensors[j].begin(), tensors[j].end());
    double macs = 1;
    Tensor result;
    for (const Label label : all) {
      macs *= extent(label);
      if (is_needed(label, rest, nullptr)) result.insert(label);
    }
    rest.push_back(result);
    return macs + search(rest);
  }

  const Spec& spec_;
  Pairs pairs_;
  Tensor output_;
  std::vector<Tensor> operands_;
  std::vector<Tensor> clean_;  // without the labels that are summed before any product
};

}  // namespace trntensor::testing
