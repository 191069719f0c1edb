#include "trntensor/host/result_blocks.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/result_sides.hpp"

namespace trntensor::host {
namespace {

class Cutter {
 public:
  Cutter(const StepProblem& problem, BlockedAxes& axes) : axes_(axes) {
    for (const BlockedAxis& axis : axes) sides_.push_back(side_of(problem, axis.label));
  }

  void cut(std::int64_t most) {
    while (elements(ResultSide::kBatch) * elements(ResultSide::kLeft) * elements(ResultSide::kRight) > most) {
      const bool more_rows = elements(ResultSide::kLeft) >= elements(ResultSide::kRight);
      halve(elements(ResultSide::kBatch) > 1 ? ResultSide::kBatch : more_rows ? ResultSide::kLeft : ResultSide::kRight);
    }
  }

 private:
  [[nodiscard]] std::int64_t elements(ResultSide side) const {
    std::int64_t count = 1;
    for (std::size_t d = 0; d < axes_.size(); ++d) count *= sides_[d] == side ? axes_[d].block : 1;
    return count;
  }

  void halve(ResultSide side) {
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      if (sides_[d] != side || axes_[d].block == 1) continue;
      axes_[d].block = ceil_div(axes_[d].block, 2);
      return;
    }
  }

  BlockedAxes& axes_;
  InlineVector<ResultSide, 8> sides_;
};

}  // namespace

BlockedAxes cut_result(const StepProblem& problem, std::int64_t most) {
  BlockedAxes axes;
  for (const Axis& axis : problem.out.axes) {
    if (axis.extent == 1) continue;
    BlockedAxis blocked;
    blocked.label = axis.label;
    blocked.extent = blocked.block = axis.extent;
    blocked.a = stride_of(problem.a, axis.label);
    blocked.b = problem.b ? stride_of(*problem.b, axis.label) : 0;
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
  for (const BlockedAxis& axis : axes) {
    set_extent(step, axis.label, axis.block);
    set_extent(step.out, axis.label, axis.block);
  }
  step.out.dtype = step.out.load_as = problem.accumulator;
  const std::int64_t elements = pack_axes(step.out);
  if (step.compensated == 2) step.parts.out = elements;
  return step;
}

}  // namespace trntensor::host
