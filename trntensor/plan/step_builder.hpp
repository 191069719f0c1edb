// From an order of pairs to described steps: operand order, label order, strategy, cost.
#pragma once

#include <string>
#include <vector>

#include "trntensor/plan/contraction_tree.hpp"
#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor::plan {

/// What is free in a step once its pair is known; everything else follows.
struct StepChoice {
  std::vector<int> operands;  ///< positions in the current list, in the order of the step's inputs
  Labels output;              ///< labels of the result in memory order
};

/// Walks along the steps of one plan and keeps the current list of tensors.
class StepBuilder {
 public:
  /// Reads spec, types and precision of `header`, which must outlive the builder.
  explicit StepBuilder(const Plan::Contents& header);

  [[nodiscard]] std::size_t tensors() const noexcept { return current_.size(); }

  /// The natural matrix-product order: batch labels, labels kept of the first operand, of the second. The last step
  /// gives the plan's output; there the operands stand so that the output comes out in order. In other steps the
  /// operands stand so that the innermost label is contracted in the first and kept in the second, if that is possible.
  [[nodiscard]] StepChoice natural_choice(std::vector<int> positions) const;

  /// True when `output` holds, in any order, the labels of the result of these positions.
  [[nodiscard]] bool is_result(const std::vector<int>& positions, const Labels& output) const;

  /// Describes the step and takes it. `backend` and `reason` are copied.
  PlanStep take(const StepChoice& choice, const std::string& backend, const std::string& reason);

 private:
  struct Entry {
    Labels labels;
    DType dtype = DType::kFloat64;
  };

  [[nodiscard]] const Entry& entry(int position) const { return current_[static_cast<std::size_t>(position)]; }
  [[nodiscard]] LabelSet labels_of(int position) const;
  [[nodiscard]] bool is_last(const std::vector<int>& positions) const { return positions.size() == current_.size(); }
  [[nodiscard]] StepChoice last_choice(int a, int b) const;
  [[nodiscard]] StepChoice inner_choice(int a, int b) const;
  void classify(PlanStep& step) const;
  [[nodiscard]] StepCost cost_of(const PlanStep& step) const;
  void replace(const PlanStep& step);

  const Plan::Contents& header_;
  Network network_;
  LabelUses uses_;
  std::vector<Entry> current_;
};

/// Steps for every pair of `path`, and all totals. `header` has everything but steps, totals and times.
Plan::Contents complete_contents(Plan::Contents header, const SsaPath& path, const std::string& backend,
                                 const std::string& reason);

/// Fills the totals from spec, types and steps.
void add_totals(Plan::Contents& contents);

}  // namespace trntensor::plan
