// A label of a step's result by the operands that have it, and steps for a part of the result.
#pragma once

#include <cstdint>

#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// Labels of the result are in both operands, in the first alone (rows), or in the second alone (columns).
enum class ResultSide : std::uint8_t { kBatch, kLeft, kRight };

inline ResultSide side_of(const StepProblem& problem, Label label) noexcept {
  const bool in_b = problem.b && has_label(*problem.b, label);
  if (!in_b) return ResultSide::kLeft;
  return has_label(problem.a, label) ? ResultSide::kBatch : ResultSide::kRight;
}

/// Gives the axis of a label, where an operand has it, another extent.
inline void set_extent(OperandLayout& layout, Label label, std::int64_t extent) noexcept {
  for (Axis& axis : layout.axes) {
    if (axis.label == label) axis.extent = extent;
  }
}

/// The same in both operands.
inline void set_extent(StepProblem& problem, Label label, std::int64_t extent) noexcept {
  set_extent(problem.a, label, extent);
  if (problem.b) set_extent(*problem.b, label, extent);
}

}  // namespace trntensor::host
