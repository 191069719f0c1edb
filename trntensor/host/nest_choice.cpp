#include "trntensor/host/nest_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/conversion.hpp"

namespace trntensor::host {
namespace {

// Nanoseconds, measured on one core at 2.3 GHz with AVX-512; only their ratios matter.
constexpr double kRow = 1.5;        // another row in a kernel that goes across
constexpr double kCall = 10.0;      // a call of such a kernel
constexpr double kRun = 6.0;        // a run in a kernel that goes along, with the addition of its lanes
constexpr double kConvert = 0.25;   // an element of another type, adjacent
constexpr double kTranspose = 0.5;  // an element moved by blocks
constexpr double kGather = 1.2;     // an element on its own
constexpr double kReuse = 8.0;      // a loaded tile serves so many others

double extent_of(const GroupAxis& axis) { return static_cast<double>(axis.extent); }

template <typename F>
void for_each_axis(const NestProblem& problem, const F& f) {
  for (const GroupAxis& axis : problem.kept) f(axis);
  for (const GroupAxis& axis : problem.summed) f(axis);
}

double size_product(const Group& group) {
  double size = 1.0;
  for (const GroupAxis& axis : group) size *= extent_of(axis);
  return size;
}

// Time to bring one element in or out, by its distance from the next one of the run.
double move_cost(const NestProblem& problem, OperandStride operand, const GroupAxis& vector, bool as_is) {
  const std::int64_t stride = vector.*operand;
  const double convert = as_is ? 0.0 : kConvert;
  if (stride == 1 || stride == 0) return convert;
  bool has_neighbours = false;
  for_each_axis(problem, [&](const GroupAxis& axis) { has_neighbours |= axis.*operand == 1 && axis.extent >= 4; });
  return convert + (has_neighbours ? kTranspose : kGather);
}

double load_cost(const NestProblem& problem, OperandStride operand, const GroupAxis& vector, bool as_is) {
  const double element = move_cost(problem, operand, vector, as_is);
  if (element == 0.0) return 0.0;
  double loads = 1.0;
  double repeats = 1.0;
  for_each_axis(problem, [&](const GroupAxis& axis) {
    if (axis.*operand != 0) {
      loads *= extent_of(axis);
    } else if (axis.out != 0) {
      repeats *= extent_of(axis);
    }
  });
  return element * loads * std::max(1.0, repeats / kReuse);
}

double cost(const NestProblem& problem, const VectorChoice& choice) {
  const GroupAxis& vector = (choice.is_kept ? problem.kept : problem.summed)[choice.index];
  const double results = size_product(problem.kept);
  const double terms = size_product(problem.summed);
  double time = load_cost(problem, &GroupAxis::a, vector, is_loaded_as_is(problem.a, problem.accumulator));
  if (problem.b) {
    time += load_cost(problem, &GroupAxis::b, vector, is_loaded_as_is(*problem.b, problem.accumulator));
  }
  if (choice.is_kept) {
    const double run = std::min(extent_of(vector), 512.0);
    time += results * terms / run * (kRow + kCall / std::min(terms, 64.0));
    time += results * move_cost(problem, &GroupAxis::out, vector, problem.out_dtype == problem.accumulator);
  } else {
    time += results * terms / std::min(extent_of(vector), 1024.0) * kRun;
  }
  return time;
}

}  // namespace

bool is_loaded_as_is(const InputType& input, DType accumulator) {
  return Conversion::through(input.dtype, input.load_as, accumulator).is_identity();
}

VectorChoice choose_vector(const NestProblem& problem) {
  VectorChoice best;
  double least = HUGE_VAL;
  const auto consider = [&](const Group& group, bool is_kept) {
    for (std::size_t i = group.size(); i-- > 0;) {  // ties go to the innermost loop
      const double time = cost(problem, {is_kept, i});
      if (time < least) {
        least = time;
        best = {is_kept, i};
      }
    }
  };
  consider(problem.kept, true);
  if (size_of(problem.summed) > 0) consider(problem.summed, false);
  return best;
}

}  // namespace trntensor::host
