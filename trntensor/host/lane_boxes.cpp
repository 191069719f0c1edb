#include "trntensor/host/lane_boxes.hpp"

#include <algorithm>
#include <optional>

#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {
namespace {

/// Bytes of an operand from which on its lines would leave the L1 cache before they are read again.
constexpr std::int64_t kLargeOperand = std::int64_t{256} << 10;

/// Elements that are transposed together.
constexpr std::int64_t kAcrossUnit = 8;

std::int64_t round_down(std::int64_t value, std::int64_t unit) { return value / unit * unit; }

/// What a box is cut from.
struct Lanes {
  Group BinaryProblem::* group;
  OperandStride operand;
  const InputType BinaryProblem::* type;
  LaneBox BoxedPart::* box;
  std::int64_t BoxedPart::* start;
  std::int64_t panel;  ///< lanes of a panel
};

bool has_unit_stride(const Group& group, OperandStride operand) {
  return std::any_of(group.begin(), group.end(), [&](const GroupAxis& axis) { return axis.*operand == 1; });
}

std::int64_t bytes_of(const BinaryProblem& problem, const Lanes& lanes) {
  return size_of(problem.*lanes.group) * problem.k_size *
         static_cast<std::int64_t>(size_of((problem.*lanes.type).dtype));
}

/// The place of the axis to be put next to the innermost one, if that is worth it.
std::optional<std::size_t> axis_across(const BinaryProblem& problem, const Lanes& lanes) {
  const Group& group = problem.*lanes.group;
  if (group.size() < 2 || group.back().*lanes.operand == 1 || problem.k_size == 0) return std::nullopt;
  if (has_unit_stride(problem.k, lanes.operand) || bytes_of(problem, lanes) < kLargeOperand) return std::nullopt;
  for (std::size_t d = 0; d + 1 < group.size(); ++d) {
    if (group[d].*lanes.operand == 1) return d;
  }
  return std::nullopt;
}

/// An axis in pieces of `extent`: the pieces, then what lies in one.
GroupAxis pieces_of(const GroupAxis& axis, std::int64_t extent) {
  return {axis.extent / extent, axis.a * extent, axis.b * extent, axis.out * extent};
}

GroupAxis piece_of(GroupAxis axis, std::int64_t extent) {
  axis.extent = extent;
  return axis;
}

void append(Group& group, const GroupAxis& axis) {
  if (axis.extent > 1) group.push_back(axis);
}

/// The part of `part` that begins at `from` of axis `d`, `count` long.
BoxedPart stretch(const BoxedPart& part, const Lanes& lanes, std::size_t d, std::int64_t from, std::int64_t count) {
  BoxedPart result = part;
  GroupAxis& axis = (result.problem.*lanes.group)[d];
  result.*lanes.start += from * axis.*lanes.operand;
  result.out += from * axis.out;
  axis.extent = count;
  return result;
}

/// `part` as it is or in two: the whole pieces of axis `d`, and the rest.
std::vector<BoxedPart> without_rest(const BoxedPart& part, const Lanes& lanes, std::size_t d, std::int64_t piece) {
  const std::int64_t extent = (part.problem.*lanes.group)[d].extent;
  const std::int64_t whole = extent / piece * piece;
  if (whole == 0 || whole == extent) return {part};
  return {stretch(part, lanes, d, 0, whole), stretch(part, lanes, d, whole, extent - whole)};
}

/// Puts pieces of axis `across` and of the innermost one, which they divide, innermost.
void reorder(BoxedPart& part, const Lanes& lanes, std::size_t across, const LaneBox& box) {
  const Group old = part.problem.*lanes.group;
  Group group;
  for (std::size_t d = 0; d + 1 < old.size(); ++d) {
    if (d != across) append(group, old[d]);
  }
  append(group, pieces_of(old.back(), box.along));
  append(group, pieces_of(old[across], box.across));
  append(group, piece_of(old[across], box.across));
  append(group, piece_of(old.back(), box.along));
  part.problem.*lanes.group = group;
  part.*lanes.box = box;
}

/// A box of the size that L2 holds: a panel or less along, and as much across as there is room for, since lines next to
/// each other are read faster than others.
LaneBox choose_box(const GroupAxis& along, const GroupAxis& across, std::int64_t most_lanes, std::int64_t panel) {
  LaneBox box;
  const std::int64_t run = std::min(panel, along.extent);
  box.along = run < 2 * kAcrossUnit ? run : round_down(run, kAcrossUnit);  // whole vectors; the rest is another part
  const std::int64_t most = std::clamp(round_down(most_lanes / box.along, kAcrossUnit), kAcrossUnit, kMostAcross);
  const std::int64_t boxes = ceil_div(across.extent, most);
  box.across = std::min(across.extent, ceil_div(ceil_div(across.extent, boxes), kAcrossUnit) * kAcrossUnit);
  return box;
}

std::vector<BoxedPart> cut(const BoxedPart& part, const Lanes& lanes, const GemmKernel& kernel) {
  const std::optional<std::size_t> across = axis_across(part.problem, lanes);
  if (!across) return {part};
  const Group& group = part.problem.*lanes.group;
  const std::size_t along = group.size() - 1;
  const LaneBox box = choose_box(group[along], group[*across], lanes_near(kernel, part.problem.k_size), lanes.panel);
  std::vector<BoxedPart> parts;
  for (const BoxedPart& stripe : without_rest(part, lanes, along, box.along)) {
    for (BoxedPart& piece : without_rest(stripe, lanes, *across, box.across)) {
      const Group& piece_group = piece.problem.*lanes.group;
      reorder(piece, lanes, *across,
              {std::min(box.across, piece_group[*across].extent), std::min(box.along, piece_group[along].extent)});
      parts.push_back(piece);
    }
  }
  return parts;
}

void set_sizes(BinaryProblem& problem) {
  problem.m_size = size_of(problem.m);
  problem.n_size = size_of(problem.n);
}

}  // namespace

std::vector<BoxedPart> cut_into_boxes(const BinaryProblem& problem, const GemmKernel& kernel) {
  BoxedPart whole;
  whole.problem = problem;
  const Lanes columns{&BinaryProblem::n,   &GroupAxis::b, &BinaryProblem::b,
                      &BoxedPart::columns, &BoxedPart::b, kernel.functions.nr};
  const Lanes rows{&BinaryProblem::m, &GroupAxis::a, &BinaryProblem::a,
                   &BoxedPart::rows,  &BoxedPart::a, kernel.functions.mr};
  std::vector<BoxedPart> parts;
  for (const BoxedPart& part : cut(whole, columns, kernel)) {
    for (BoxedPart& piece : cut(part, rows, kernel)) {
      set_sizes(piece.problem);
      parts.push_back(piece);
    }
  }
  return parts;
}

}  // namespace trntensor::host
