#include "trntensor/host/result_blocks.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {
namespace {

const Axis* find_axis(const OperandLayout& layout, Label label) {
  const auto* const found =
      std::find_if(layout.axes.begin(), layout.axes.end(), [&](const Axis& axis) { return axis.label == label; });
  return found == layout.axes.end() ? nullptr : found;
}

enum class Side : std::uint8_t { kBatch, kRows, kColumns };

Side side_of(const StepProblem& problem, Label label) {
  const bool in_a = find_axis(problem.a, label) != nullptr;
  const bool in_b = problem.b && find_axis(*problem.b, label) != nullptr;
  if (in_a && in_b) return Side::kBatch;
  return in_b ? Side::kColumns : Side::kRows;
}

class Cutter {
 public:
  Cutter(const StepProblem& problem, BlockedAxes& axes) : axes_(axes) {
    for (const BlockedAxis& axis : axes) sides_.push_back(side_of(problem, axis.label));
  }

  void cut(std::int64_t most) {
    while (elements(Side::kBatch) * elements(Side::kRows) * elements(Side::kColumns) > most) {
      const bool more_rows = elements(Side::kRows) >= elements(Side::kColumns);
      halve(elements(Side::kBatch) > 1 ? Side::kBatch : more_rows ? Side::kRows : Side::kColumns);
    }
  }

 private:
  [[nodiscard]] std::int64_t elements(Side side) const {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < axes_.size(); ++d) count *= sides_[d] == side ? axes_[d].block : 1;
    return count;
  }

  void halve(Side side) {
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      if (sides_[d] != side || axes_[d].block == 1) continue;
      axes_[d].block = ceil_div(axes_[d].block, 2);
      return;
    }
  }

  BlockedAxes& axes_;
  InlineVector<Side, 8> sides_;
};

void cut_operand(OperandLayout& layout, const BlockedAxes& axes) {
  for (Axis& axis : layout.axes) {
    for (const BlockedAxis& blocked : axes) {
      if (blocked.label == axis.label) axis.extent = blocked.block;
    }
  }
}

}  // namespace

BlockedAxes cut_result(const StepProblem& problem, std::int64_t most) {
  BlockedAxes axes;
  const auto stride_in = [](const OperandLayout& layout, Label label) {
    const Axis* const axis = find_axis(layout, label);
    return axis != nullptr ? axis->stride : 0;
  };
  for (const Axis& axis : problem.out.axes) {
    if (axis.extent == 1) continue;
    BlockedAxis blocked;
    blocked.label = axis.label;
    blocked.extent = blocked.block = axis.extent;
    blocked.a = stride_in(problem.a, axis.label);
    blocked.b = problem.b ? stride_in(*problem.b, axis.label) : 0;
    blocked.out = axis.stride;
    axes.push_back(blocked);
  }
  if (axes.empty()) return axes;
  std::int64_t order = 1;
  for (std::size_t d = axes.size(); d-- > 0;) {
    axes[d].order = order;
    order *= axes[d].extent;
  }
  if (order == 0) return axes;
  Cutter(problem, axes).cut(most);
  for (BlockedAxis& axis : axes) axis.pieces = ceil_div(axis.extent, axis.block);
  return axes;
}

StepProblem step_of_block(const StepProblem& problem, const BlockedAxes& axes) {
  StepProblem step = problem;
  step.stochastic = false;
  cut_operand(step.a, axes);
  if (step.b) cut_operand(*step.b, axes);
  cut_operand(step.out, axes);
  step.out.dtype = step.out.load_as = problem.accumulator;
  const std::int64_t elements = pack_axes(step.out);
  if (step.compensated == 2) step.parts.out = elements;
  return step;
}

}  // namespace trntensor::host
