#include "trntensor/host/presum.hpp"

#include <algorithm>
#include <string>

#include "trntensor/host/unary_step.hpp"
#include "trntensor/host/workspace.hpp"

namespace trntensor::host {
namespace {

bool has_label(const OperandLayout& layout, Label label) {
  return std::any_of(layout.axes.begin(), layout.axes.end(), [&](const Axis& axis) { return axis.label == label; });
}

/// Neither in the other operand nor in the result.
bool is_alone(Label label, const OperandLayout& other, const OperandLayout& out) {
  return !has_label(other, label) && !has_label(out, label);
}

bool has_lone_label(const OperandLayout& operand, const OperandLayout& other, const OperandLayout& out) {
  return std::any_of(operand.axes.begin(), operand.axes.end(),
                     [&](const Axis& axis) { return is_alone(axis.label, other, out); });
}

/// Lone labels of each operand become labels of both, with stride 0 in the other.
StepProblem share_lone_labels(const StepProblem& problem) {
  StepProblem shared = problem;
  for (const Axis& axis : problem.a.axes) {
    if (is_alone(axis.label, *problem.b, problem.out)) shared.b->axes.push_back({axis.label, axis.extent, 0});
  }
  for (const Axis& axis : problem.b->axes) {
    if (is_alone(axis.label, problem.a, problem.out)) shared.a.axes.push_back({axis.label, axis.extent, 0});
  }
  return shared;
}

/// One operand's sum over its lone labels, into a packed workspace.
class LoneSum {
 public:
  /// Replaces `operand` by the layout of the workspace.
  LoneSum(OperandLayout& operand, const OperandLayout& other, const StepProblem& problem,
          std::string_view instruction_set) {
    OperandLayout packed{problem.accumulator, problem.accumulator, {}};
    for (const Axis& axis : operand.axes) {
      if (!is_alone(axis.label, other, problem.out)) packed.axes.push_back(axis);
    }
    std::int64_t elements = 1;
    for (std::size_t d = packed.axes.size(); d-- > 0;) {
      packed.axes[d].stride = elements;
      elements *= packed.axes[d].extent;
    }
    bytes_ = static_cast<std::size_t>(elements) * size_of(problem.accumulator);
    step_ = prepare_unary({operand, std::nullopt, packed, problem.accumulator, false}, instruction_set);
    operand = packed;
  }

  /// Leaves the sum in `workspace` and returns where that is.
  const void* run(const void* operand, const RunContext& context, std::optional<Workspace>& workspace) const {
    workspace.emplace(bytes_);
    step_->run(operand, nullptr, workspace->data(), Scale{}, context);
    return workspace->data();
  }

  [[nodiscard]] std::string describe() const { return step_->describe(); }

 private:
  std::size_t bytes_ = 0;
  std::unique_ptr<const PreparedStep> step_;
};

class PresumStep final : public PreparedStep {
 public:
  PresumStep(const StepProblem& problem, std::string_view instruction_set, const PrepareProduct& prepare_product) {
    StepProblem product = problem;
    if (has_lone_label(problem.a, *problem.b, problem.out)) {
      sum_a_.emplace(product.a, *problem.b, problem, instruction_set);
    }
    if (has_lone_label(*problem.b, problem.a, problem.out)) {
      sum_b_.emplace(*product.b, problem.a, problem, instruction_set);
    }
    product_ = prepare_product(product);
  }

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override {
    std::optional<Workspace> workspace_a;
    std::optional<Workspace> workspace_b;
    if (sum_a_) a = sum_a_->run(a, context, workspace_a);
    if (sum_b_) b = sum_b_->run(b, context, workspace_b);
    product_->run(a, b, out, scale, context);
  }

  [[nodiscard]] std::string describe() const override {
    std::string text;
    if (sum_a_) text += "sum a first: " + sum_a_->describe() + "; ";
    if (sum_b_) text += "sum b first: " + sum_b_->describe() + "; ";
    return text + product_->describe();
  }

 private:
  std::optional<LoneSum> sum_a_;
  std::optional<LoneSum> sum_b_;
  std::unique_ptr<const PreparedStep> product_;
};

}  // namespace

std::unique_ptr<const PreparedStep> prepare_with_presum(const StepProblem& problem, std::string_view instruction_set,
                                                        const PrepareProduct& prepare_product) {
  if (!has_lone_label(problem.a, *problem.b, problem.out) && !has_lone_label(*problem.b, problem.a, problem.out)) {
    return prepare_product(problem);
  }
  if (problem.compensated) return prepare_product(share_lone_labels(problem));
  return std::make_unique<PresumStep>(problem, instruction_set, prepare_product);
}

}  // namespace trntensor::host
