#include "trntensor/plan/step_builder.hpp"

#include <algorithm>

namespace trntensor::plan {
namespace {

bool contains(const LabelSet& set, Label label) { return set.contains(static_cast<std::size_t>(label)); }

// The labels that `test` holds for, in order.
template <typename Test>
Labels select(const Labels& labels, Test&& test) {
  Labels result;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(result), test);
  return result;
}

void append(Labels& labels, const Labels& more) { labels.insert(labels.end(), more.begin(), more.end()); }

// Both kinds of labels are there, and every one of the first kind stands before every one of the second.
template <typename First, typename Second>
bool stands_before(const Labels& labels, First&& is_first, Second&& is_second) {
  const auto last_first = std::find_if(labels.rbegin(), labels.rend(), is_first);
  const auto first_second = std::find_if(labels.begin(), labels.end(), is_second);
  return last_first != labels.rend() && first_second != labels.end() && last_first.base() <= first_second;
}

Strategy strategy_of(const PlanStep& step, bool has_rows, bool has_columns) {
  if (step.inputs.size() == 1) return Strategy::kUnary;
  if (step.contracted.empty() || !has_rows || !has_columns) return Strategy::kGeneral;
  return step.batch.empty() ? Strategy::kMatmul : Strategy::kBmm;
}

}  // namespace

StepBuilder::StepBuilder(const Plan::Contents& header)
    : header_(header), network_(network_of(header.spec)), uses_(network_) {
  for (std::size_t k = 0; k < header.spec.inputs.size(); ++k) {
    current_.push_back({header.spec.inputs[k], header.input_dtypes[k]});
  }
}

bool StepBuilder::is_result(const std::vector<int>& positions, const Labels& output) const {
  if (is_last(positions)) return output == header_.spec.output;
  const LabelSet set = set_of(output, network_.extents.size());
  std::size_t distinct = 0;
  set.for_each([&](std::size_t) { ++distinct; });
  return distinct == output.size() && set == uses_.result(labels_of(positions[0]), labels_of(positions[1]));
}

LabelSet StepBuilder::labels_of(int position) const { return set_of(entry(position).labels, network_.extents.size()); }

StepChoice StepBuilder::natural_choice(std::vector<int> positions) const {
  if (positions.size() == 1) return {std::move(positions), header_.spec.output};
  std::sort(positions.begin(), positions.end());
  return is_last(positions) ? last_choice(positions[0], positions[1]) : inner_choice(positions[0], positions[1]);
}

StepChoice StepBuilder::last_choice(int a, int b) const {
  const LabelSet in_a = labels_of(a);
  const LabelSet in_b = labels_of(b);
  const Labels& output = header_.spec.output;
  const auto first = std::find_if(output.begin(), output.end(),
                                  [&](Label label) { return !(contains(in_a, label) && contains(in_b, label)); });
  if (first != output.end() && !contains(in_a, *first)) std::swap(a, b);
  return {{a, b}, output};
}

StepChoice StepBuilder::inner_choice(int a, int b) const {
  LabelSet in_a = labels_of(a);
  LabelSet in_b = labels_of(b);
  const LabelSet kept = uses_.result(in_a, in_b);
  const auto ends_in_kept = [&](int operand, const LabelSet& other) {
    const Labels& labels = entry(operand).labels;
    return !labels.empty() && contains(kept, labels.back()) && !contains(other, labels.back());
  };
  if (ends_in_kept(a, in_b) && !ends_in_kept(b, in_a)) {
    std::swap(a, b);
    std::swap(in_a, in_b);
  }
  const LabelSet batch = in_a & in_b & kept;
  const LabelSet rest = kept - batch;
  Labels output = select(entry(a).labels, [&](Label label) { return contains(batch, label); });
  append(output, select(entry(a).labels, [&](Label label) { return contains(rest, label); }));
  append(output, select(entry(b).labels, [&](Label label) { return contains(rest, label); }));
  return {{a, b}, std::move(output)};
}

void StepBuilder::classify(PlanStep& step) const {
  const std::size_t count = network_.extents.size();
  const Labels none;
  const Labels& a = step.inputs[0];
  const Labels& b = step.inputs.size() > 1 ? step.inputs[1] : none;
  const LabelSet both = set_of(a, count) & set_of(b, count);
  const LabelSet kept = set_of(step.output, count);
  const auto is_batch = [&](Label label) { return contains(both, label) && contains(kept, label); };
  const auto is_contracted = [&](Label label) { return contains(both, label) && !contains(kept, label); };
  const auto is_presummed = [&](Label label) { return !contains(both, label) && !contains(kept, label); };
  const auto is_side = [&](Label label) { return !contains(both, label) && contains(kept, label); };
  step.batch = select(a, is_batch);
  step.contracted = select(a, is_contracted);
  step.presummed = select(a, is_presummed);
  append(step.presummed, select(b, is_presummed));
  step.strategy = strategy_of(step, std::any_of(a.begin(), a.end(), is_side), std::any_of(b.begin(), b.end(), is_side));
  step.trans_a = stands_before(a, is_contracted, is_side);
  step.trans_b = stands_before(b, is_side, is_contracted);
}

StepCost StepBuilder::cost_of(const PlanStep& step) const {
  const auto elements = [&](const Labels& labels) {
    return product(set_of(labels, network_.extents.size()), network_.extents);
  };
  StepCost cost;
  cost.elements = elements(step.output);
  cost.bytes = cost.elements * static_cast<double>(size_of(step.dtype));
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    cost.bytes += elements(step.inputs[i]) * static_cast<double>(size_of(entry(step.operands[i]).dtype));
  }
  Labels involved = step.output;
  append(involved, step.contracted);
  cost.macs = step.inputs.size() == 1 ? elements(step.inputs[0]) : elements(involved);
  return cost;
}

void StepBuilder::replace(const PlanStep& step) {
  const std::size_t count = network_.extents.size();
  if (step.inputs.size() == 2) {
    uses_.replace(set_of(step.inputs[0], count), set_of(step.inputs[1], count), set_of(step.output, count));
  }
  std::vector<int> gone = step.operands;
  std::sort(gone.rbegin(), gone.rend());
  for (const int position : gone) current_.erase(current_.begin() + position);
  current_.push_back({step.output, step.dtype});
}

PlanStep StepBuilder::take(const StepChoice& choice, const std::string& backend, const std::string& reason) {
  PlanStep step;
  step.operands = choice.operands;
  for (const int position : choice.operands) step.inputs.push_back(entry(position).labels);
  step.output = choice.output;
  step.backend = backend;
  step.reason = reason;
  step.dtype = is_last(choice.operands) ? header_.output_dtype : header_.accumulator_dtype;
  classify(step);
  step.cost = cost_of(step);
  replace(step);
  return step;
}

}  // namespace trntensor::plan
