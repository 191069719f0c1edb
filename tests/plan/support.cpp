#include "tests/plan/support.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace trntensor::testing {
namespace {

using LabelNumbers = std::set<Label>;

LabelNumbers numbers(const Labels& labels) { return {labels.begin(), labels.end()}; }

// Labels of the result of a step: those of its operands that somebody else or the output needs.
LabelNumbers needed_later(const std::vector<LabelNumbers>& current, const std::vector<int>& operands,
                          const LabelNumbers& output) {
  LabelNumbers elsewhere = output;
  LabelNumbers own;
  for (std::size_t t = 0; t < current.size(); ++t) {
    const bool used = std::count(operands.begin(), operands.end(), static_cast<int>(t)) > 0;
    (used ? own : elsewhere).insert(current[t].begin(), current[t].end());
  }
  LabelNumbers result;
  std::set_intersection(own.begin(), own.end(), elsewhere.begin(), elsewhere.end(),
                        std::inserter(result, result.begin()));
  return result;
}

::testing::AssertionResult fault(std::size_t step, const std::string& text) {
  return ::testing::AssertionFailure() << "step " << step << " " << text;
}

::testing::AssertionResult check_step(std::size_t number, const PlanStep& step, std::vector<LabelNumbers>& current,
                                      const Spec& spec) {
  const std::size_t wanted = spec.inputs.size() == 1 ? 1 : 2;
  if (step.operands.size() != wanted) return fault(number, "has the wrong number of operands");
  if (wanted == 2 && step.operands[0] == step.operands[1]) return fault(number, "uses a tensor twice");
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto position = static_cast<std::size_t>(step.operands[i]);
    if (step.operands[i] < 0 || position >= current.size()) return fault(number, "points outside the list");
    if (numbers(step.inputs[i]) != current[position]) return fault(number, "has other labels than its operand");
  }
  if (numbers(step.output) != needed_later(current, step.operands, numbers(spec.output))) {
    return fault(number, "leaves the wrong labels");
  }
  if (numbers(step.output).size() != step.output.size()) return fault(number, "has a label twice in its result");
  std::vector<int> gone = step.operands;
  std::sort(gone.rbegin(), gone.rend());
  for (const int position : gone) current.erase(current.begin() + position);
  current.push_back(numbers(step.output));
  return ::testing::AssertionSuccess();
}

}  // namespace

::testing::AssertionResult is_legal(const Plan& plan) {
  const Spec& spec = plan.spec();
  std::vector<LabelNumbers> current;
  for (const Labels& labels : spec.inputs) current.push_back(numbers(labels));
  double macs = 0;
  for (std::size_t s = 0; s < plan.steps().size(); ++s) {
    if (auto result = check_step(s, plan.steps()[s], current, spec); !result) return result;
    macs += plan.steps()[s].cost.macs;
  }
  if (current.size() != 1 || plan.steps().empty()) return fault(plan.steps().size(), "is missing");
  if (plan.steps().back().output != spec.output) return fault(plan.steps().size() - 1, "does not give the output");
  if (macs != plan.contents().macs) return ::testing::AssertionFailure() << "the total is not the sum of the steps";
  return ::testing::AssertionSuccess();
}

}  // namespace trntensor::testing
