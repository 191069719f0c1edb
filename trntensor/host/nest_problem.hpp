// A step of one or two operands as plain loops: those of the result and those that are summed.
#pragma once

#include <algorithm>
#include <optional>

#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// out = alpha * sum(a * b) + beta * out over the loops `summed`; without b, alpha * sum(a) + beta * out.
struct NestProblem {
  InputType a;
  std::optional<InputType> b;
  DType out_dtype = DType::kFloat64;
  DType accumulator = DType::kFloat64;
  int compensated = 0;
  Group kept;    ///< loops of out, any order; none of extent 1
  Group summed;  ///< the others
};

NestProblem nest_problem(const BinaryProblem& problem);

/// `problem.b` must be absent. Drops extents of 1. Throws InvalidArgument when the extents of a label differ or the
/// number of terms leaves 63 bits.
NestProblem nest_problem_of_one(const StepProblem& problem);

/// Where the element with all indices 0 moved to when loops were turned round; in elements.
struct Origins {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;
};

/// Sorts a few loops, equal ones staying in order.
template <typename Before>
void sort_loops(Group& group, const Before& before) {
  for (auto next = group.begin(); next != group.end(); ++next) {
    const auto place = std::upper_bound(group.begin(), next, *next, before);
    std::rotate(place, next, next + 1);
  }
}

/// Turns loops round so that the first of out, a, b that depends on a loop runs forward, orders each group by that
/// operand's strides (largest first), and joins neighbours that are one loop for every operand.
Origins normalise(NestProblem& problem);

}  // namespace trntensor::host
