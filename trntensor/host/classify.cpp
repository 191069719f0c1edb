#include "trntensor/host/classify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

/// Everything known of one label.
struct LabelUse {
  Label label = 0;
  GroupAxis axis;
  bool in_a = false;
  bool in_b = false;
  bool in_out = false;
};
using LabelUses = InlineVector<LabelUse, 16>;

LabelUse& use_of(LabelUses& uses, const Axis& axis) {
  for (LabelUse& use : uses) {
    if (use.label != axis.label) continue;
    if (use.axis.extent != axis.extent) {
      throw_invalid(fmt::format("label {} has extent {} in one operand and {} in another", axis.label, use.axis.extent,
                                axis.extent),
                    "host executor", "give every label one extent; leave broadcast axes out of the layout");
    }
    return use;
  }
  LabelUse use;
  use.label = axis.label;
  use.axis.extent = axis.extent;
  uses.push_back(use);
  return uses.back();
}

LabelUses collect(const StepProblem& problem) {
  LabelUses uses;
  for (const Axis& axis : problem.a.axes) {
    LabelUse& use = use_of(uses, axis);
    use.in_a = true;
    use.axis.a = axis.stride;
  }
  for (const Axis& axis : problem.b->axes) {
    LabelUse& use = use_of(uses, axis);
    use.in_b = true;
    use.axis.b = axis.stride;
  }
  for (const Axis& axis : problem.out.axes) {
    LabelUse& use = use_of(uses, axis);
    use.in_out = true;
    use.axis.out = axis.stride;
  }
  return uses;
}

using StrideOf = std::int64_t GroupAxis::*;

/// Largest stride of the first operand outermost, ties by the second, so that what can be fused is adjacent.
void order(Group& group, StrideOf first, StrideOf second) {
  const auto key = [&](const GroupAxis& axis) {
    return std::tuple(std::abs(axis.*first), std::abs(axis.*second), axis.extent);
  };
  std::sort(group.begin(), group.end(), [&](const GroupAxis& x, const GroupAxis& y) { return key(x) > key(y); });
}

bool continues(const GroupAxis& outer, const GroupAxis& inner) {
  const auto one_stride = [&](std::int64_t outer_stride, std::int64_t inner_stride) {
    const auto whole = checked_multiply(inner.extent, inner_stride);
    return whole && *whole == outer_stride;
  };
  return one_stride(outer.a, inner.a) && one_stride(outer.b, inner.b) && one_stride(outer.out, inner.out);
}

std::int64_t checked_group_size(const Group& group, const char* name) {
  InlineVector<std::int64_t, 8> extents;
  for (const GroupAxis& axis : group) extents.push_back(axis.extent);
  const auto size = checked_product({extents.data(), extents.size()});
  if (!size) {
    throw_invalid(fmt::format("the product of the {} extents of a step leaves 63 bits", name), "host executor",
                  "contract in smaller pieces");
  }
  return *size;
}

std::int64_t smallest_stride(const Group& group, StrideOf stride) {
  std::int64_t smallest = INT64_MAX;
  for (const GroupAxis& axis : group) smallest = std::min(smallest, std::abs(axis.*stride));
  return smallest;
}

/// True when the summed labels are best run through in the order of a's memory.
bool sum_in_order_of_a(const BinaryProblem& problem) {
  const bool a_inner = smallest_stride(problem.k, &GroupAxis::a) < smallest_stride(problem.m, &GroupAxis::a);
  const bool b_inner = smallest_stride(problem.k, &GroupAxis::b) < smallest_stride(problem.n, &GroupAxis::b);
  return a_inner != b_inner ? a_inner : problem.m_size >= problem.n_size;
}

void sort_into_groups(const LabelUses& uses, BinaryProblem& problem) {
  for (const LabelUse& use : uses) {
    if (use.axis.extent == 1) continue;
    if (use.in_a && use.in_b) {
      (use.in_out ? problem.batch : problem.k).push_back(use.axis);
    } else if (use.in_b) {
      if (!use.in_out) throw Error(ErrorKind::kInternal, "classify: a label of b alone is not in the result");
      problem.n.push_back(use.axis);
    } else {
      if (!use.in_out) throw Error(ErrorKind::kInternal, "classify: a label of a alone is not in the result");
      problem.m.push_back(use.axis);
    }
  }
}

}  // namespace

std::int64_t size_of(const Group& group) noexcept {
  std::int64_t size = 1;
  for (const GroupAxis& axis : group) size *= axis.extent;
  return size;
}

void fuse(Group& group) {
  Group fused;
  for (const GroupAxis& axis : group) {
    if (!fused.empty() && continues(fused.back(), axis)) {
      const auto extent = checked_multiply(fused.back().extent, axis.extent);
      if (extent) {
        fused.back() = axis;
        fused.back().extent = *extent;
        continue;
      }
    }
    fused.push_back(axis);
  }
  group = fused;
}

BinaryProblem classify(const StepProblem& problem) {
  BinaryProblem result;
  result.a = {problem.a.dtype, problem.a.load_as};
  result.b = {problem.b->dtype, problem.b->load_as};
  result.out_dtype = problem.out.dtype;
  result.accumulator = problem.accumulator;
  result.compensated = problem.compensated;
  result.any_threads = problem.any_threads;
  result.keeps_subnormals = problem.keeps_subnormals;
  sort_into_groups(collect(problem), result);
  result.batch_size = checked_group_size(result.batch, "batch");
  result.m_size = checked_group_size(result.m, "row");
  result.n_size = checked_group_size(result.n, "column");
  result.k_size = checked_group_size(result.k, "summed");
  if (smallest_stride(result.m, &GroupAxis::out) < smallest_stride(result.n, &GroupAxis::out)) swap_roles(result);
  order(result.batch, &GroupAxis::out, &GroupAxis::a);
  order(result.m, &GroupAxis::out, &GroupAxis::a);
  order(result.n, &GroupAxis::out, &GroupAxis::b);
  if (sum_in_order_of_a(result)) {
    order(result.k, &GroupAxis::a, &GroupAxis::b);
  } else {
    order(result.k, &GroupAxis::b, &GroupAxis::a);
  }
  for (Group* group : {&result.batch, &result.m, &result.n, &result.k}) fuse(*group);
  return result;
}

void swap_roles(BinaryProblem& problem) noexcept {
  std::swap(problem.a, problem.b);
  std::swap(problem.m, problem.n);
  std::swap(problem.m_size, problem.n_size);
  problem.swapped = !problem.swapped;
  for (Group* group : {&problem.batch, &problem.m, &problem.n, &problem.k}) {
    for (GroupAxis& axis : *group) std::swap(axis.a, axis.b);
  }
}

}  // namespace trntensor::host
