#include "trntensor/dispatch/step_layouts.hpp"

#include <algorithm>
#include <optional>

namespace trntensor::dispatch {
namespace {

/// A summed label of extent 0, if there is one: then every element of the result is an empty sum.
std::optional<Label> empty_sum_label(const Spec& spec) {
  for (std::size_t label = 0; label < spec.extents.size(); ++label) {
    const auto dense = static_cast<Label>(label);
    if (!contains(spec.output, dense) && spec.extents[label] == 0) return dense;
  }
  return std::nullopt;
}

}  // namespace

OperandLayout operand_layout(const Spec& spec, std::size_t operand, const TensorView& view, DType load_as) {
  OperandLayout layout{view.dtype(), load_as, {}};
  const Labels& labels = spec.axes[operand];
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (spec.broadcast[operand][d]) continue;
    auto* const known =
        std::find_if(layout.axes.begin(), layout.axes.end(), [&](const Axis& axis) { return axis.label == labels[d]; });
    if (known == layout.axes.end()) {
      layout.axes.push_back(Axis{labels[d], view.shape()[d], view.strides()[d]});
    } else if (known->extent > 1) {  // else no step is ever taken, and the strides may be anything
      known->stride += view.strides()[d];
    }
  }
  return layout;
}

PackedLayout packed_layout(const Spec& spec, const Labels& labels, DType dtype) {
  PackedLayout packed{{dtype, dtype, {}}};
  for (const Label label : labels) {
    packed.layout.axes.push_back(Axis{label, spec.extents[static_cast<std::size_t>(label)], 0});
  }
  packed.elements = pack_axes(packed.layout);
  return packed;
}

std::vector<std::vector<std::size_t>> inputs_of_steps(const Plan::Contents& plan) {
  std::vector<std::size_t> current;  // tensor number of each entry of the current list
  for (std::size_t k = 0; k < plan.input_dtypes.size(); ++k) current.push_back(k);
  std::vector<std::vector<std::size_t>> inputs;
  for (const PlanStep& step : plan.steps) {
    inputs.emplace_back();
    for (const int position : step.operands) inputs.back().push_back(current[static_cast<std::size_t>(position)]);
    std::vector<int> used = step.operands;
    std::sort(used.rbegin(), used.rend());
    for (const int position : used) current.erase(current.begin() + position);
    current.push_back(plan.input_dtypes.size() + inputs.size() - 1);
  }
  return inputs;
}

void sum_over_nothing(const Spec& spec, StepProblem& last) {
  const std::optional<Label> empty = empty_sum_label(spec);
  if (!empty) return;
  const auto add = [&](OperandLayout& layout) {
    if (find_axis(layout, *empty) == nullptr) layout.axes.push_back(Axis{*empty, 0, 0});
  };
  add(last.a);
  if (last.b) add(*last.b);
}

}  // namespace trntensor::dispatch
