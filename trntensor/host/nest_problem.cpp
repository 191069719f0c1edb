#include "trntensor/host/nest_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

void append(Group& group, const Group& more) {
  for (const GroupAxis& axis : more) group.push_back(axis);
}

std::int64_t leading_stride(const GroupAxis& axis) {
  if (axis.out != 0) return axis.out;
  return axis.a != 0 ? axis.a : axis.b;
}

void turn_forward(Group& group, Origins& origins) {
  for (GroupAxis& axis : group) {
    if (leading_stride(axis) >= 0) continue;
    const std::int64_t last = axis.extent - 1;
    origins.a += last * axis.a;
    origins.b += last * axis.b;
    origins.out += last * axis.out;
    axis = {axis.extent, -axis.a, -axis.b, -axis.out};
  }
}

void order(Group& group) {
  sort_loops(group, [](const GroupAxis& x, const GroupAxis& y) {
    const std::int64_t sx = leading_stride(x);
    const std::int64_t sy = leading_stride(y);
    return sx != sy ? sx > sy : std::abs(x.a) > std::abs(y.a);
  });
}

}  // namespace

NestProblem nest_problem(const BinaryProblem& problem) {
  NestProblem result{problem.a, problem.b, problem.out_dtype, problem.accumulator, problem.compensated, {}, {}};
  append(result.kept, problem.batch);
  append(result.kept, problem.m);
  append(result.kept, problem.n);
  append(result.summed, problem.k);
  return result;
}

NestProblem nest_problem_of_one(const StepProblem& problem) {
  NestProblem result;
  result.a = {problem.a.dtype, problem.a.load_as};
  result.out_dtype = problem.out.dtype;
  result.accumulator = problem.accumulator;
  result.compensated = problem.compensated;
  InlineVector<std::int64_t, 16> extents;
  InlineVector<Label, 8> of_out;
  for (const Axis& axis : problem.out.axes) {
    const auto in_a = std::find_if(problem.a.axes.begin(), problem.a.axes.end(),
                                   [&](const Axis& other) { return other.label == axis.label; });
    GroupAxis loop{axis.extent, 0, 0, axis.stride};
    if (in_a != problem.a.axes.end()) {
      loop.a = in_a->stride;
      if (in_a->extent != axis.extent) {
        throw_invalid(fmt::format("label {} has extent {} in the operand and {} in the result", axis.label,
                                  in_a->extent, axis.extent),
                      "host executor", "give every label one extent; leave broadcast axes out of the layout");
      }
    }
    of_out.push_back(axis.label);
    extents.push_back(axis.extent);
    if (axis.extent != 1) result.kept.push_back(loop);
  }
  for (const Axis& axis : problem.a.axes) {
    if (std::find(of_out.begin(), of_out.end(), axis.label) != of_out.end()) continue;
    extents.push_back(axis.extent);
    if (axis.extent != 1) result.summed.push_back({axis.extent, axis.stride, 0, 0});
  }
  if (!checked_product({extents.data(), extents.size()})) {
    throw_invalid("the product of the extents of a step leaves 63 bits", "host executor", "contract in smaller pieces");
  }
  return result;
}

Origins normalise(NestProblem& problem) {
  Origins origins;
  for (Group* group : {&problem.kept, &problem.summed}) {
    turn_forward(*group, origins);
    order(*group);
    fuse(*group);
  }
  return origins;
}

}  // namespace trntensor::host
