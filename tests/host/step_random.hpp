// Random steps of two operands with memory for them, the same for a seed on every machine.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tests/host/step_oracle.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::testing {

enum class LabelKind { kBatch, kM, kN, kK, kSumA, kSumB, kRepeat };

struct StepLabel {
  LabelKind kind = LabelKind::kM;
  std::int64_t extent = 1;
};

/// Up to 8 labels of the kinds given, extents at the edges of blocks, few enough points for the obvious loops.
inline std::vector<StepLabel> random_labels(std::span<const LabelKind> kinds, Random& random) {
  constexpr std::int64_t kExtents[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33, 64, 65, 127, 257};
  std::vector<StepLabel> labels(static_cast<std::size_t>(random.integer(0, 8)));
  const double most = random.integer(0, 9) == 0 ? 20000 : 2000;
  double points = 1;
  for (StepLabel& label : labels) {
    label.kind = kinds[static_cast<std::size_t>(random.integer(0, std::ssize(kinds) - 1))];
    label.extent = kExtents[random.integer(0, std::ssize(kExtents) - 1)];
    if (points * static_cast<double>(label.extent) > most) label.extent = random.integer(1, 2);
    points *= std::max(1.0, static_cast<double>(label.extent));
  }
  return labels;
}

struct StepTypes {
  DType a = DType::kFloat64;
  DType b = DType::kFloat64;
  DType load_as = DType::kFloat64;  ///< of both
  DType accumulator = DType::kFloat64;
  DType out = DType::kFloat64;
  int compensated = 0;
};

enum class MemoryKind {
  kPacked,  ///< C order, aligned
  kAny,     ///< axes in any order, gaps, some strides negative or (inputs) 0, any address
};

/// A step, its memory and its factors.
struct RandomStep {
  StepProblem problem;
  OperandMemory a;
  OperandMemory b;
  OperandMemory out;
  Scale scale;
};

namespace detail {

inline bool in_a(LabelKind kind) {
  return kind == LabelKind::kBatch || kind == LabelKind::kM || kind == LabelKind::kK || kind == LabelKind::kSumA;
}
inline bool in_b(LabelKind kind) {
  return kind == LabelKind::kBatch || kind == LabelKind::kN || kind == LabelKind::kK || kind == LabelKind::kSumB;
}
inline bool in_out(LabelKind kind) {
  return kind == LabelKind::kBatch || kind == LabelKind::kM || kind == LabelKind::kN || kind == LabelKind::kRepeat;
}

template <typename Axes>
void shuffle(Axes& axes, Random& random) {
  for (std::size_t i = axes.size(); i > 1; --i) {
    std::swap(axes[i - 1], axes[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
  }
}

/// Gives the axes strides and makes memory for them, with 64 bytes to spare on both sides.
inline OperandMemory lay_out(OperandLayout& layout, MemoryKind kind, bool is_input, Random& random) {
  if (kind == MemoryKind::kAny) shuffle(layout.axes, random);
  std::int64_t stride = kind == MemoryKind::kAny ? random.integer(1, 2) : 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (std::size_t d = layout.axes.size(); d-- > 0;) {
    Axis& axis = layout.axes[d];
    axis.stride = stride;
    if (kind == MemoryKind::kAny) {
      if (random.integer(0, 5) == 0) axis.stride = -stride;
      if (is_input && random.integer(0, 9) == 0) axis.stride = 0;
    }
    const std::int64_t last = std::max<std::int64_t>(0, axis.extent - 1) * axis.stride;
    (last < 0 ? low : high) += last;
    stride *= std::max<std::int64_t>(1, axis.extent);
    if (kind == MemoryKind::kAny) stride += random.integer(0, 3) == 0 ? random.integer(1, 5) : 0;
  }
  const auto item = static_cast<std::int64_t>(size_of(layout.dtype));
  OperandMemory memory;
  memory.origin = 64 - low * item + (kind == MemoryKind::kAny ? random.integer(0, 15) : 0);
  memory.bytes.resize(static_cast<std::size_t>((high + 1) * item + memory.origin + 64));
  return memory;
}

}  // namespace detail

/// Fills all bytes with elements of the operand's type: small whole numbers for integers, else uniform in [-2, 2), with
/// `specials` now and then NaN or infinite. Bytes between elements are left as they come.
inline void fill(OperandMemory& memory, DType dtype, Random& random, bool specials = false) {
  const auto item = static_cast<std::int64_t>(size_of(dtype));
  visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
    for (std::int64_t at = memory.origin % item; at + item <= static_cast<std::int64_t>(memory.bytes.size());
         at += item) {
      T value{};
      if constexpr (std::is_same_v<T, bool>) {
        value = random.integer(0, 3) == 0;
      } else if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(random());
      } else {
        double re = random.uniform(-2, 2);
        if (specials && random.integer(0, 19) == 0) {
          constexpr double kInfinity = std::numeric_limits<double>::infinity();
          const double values[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), 0.0};
          re = values[random.integer(0, 3)];
        }
        value = convert_element<T>(std::complex<double>(re, random.uniform(-2, 2)));
      }
      store_element(memory.bytes.data() + at, value);
    }
  });
}

inline RandomStep make_step(const std::vector<StepLabel>& labels, const StepTypes& types, MemoryKind memory,
                            Random& random) {
  RandomStep step;
  StepProblem& problem = step.problem;
  problem.a = {types.a, types.load_as, {}};
  problem.b = OperandLayout{types.b, types.load_as, {}};
  problem.out = {types.out, types.out, {}};
  problem.accumulator = types.accumulator;
  problem.compensated = types.compensated;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Axis axis{static_cast<Label>(i), labels[i].extent, 0};
    if (detail::in_a(labels[i].kind)) problem.a.axes.push_back(axis);
    if (detail::in_b(labels[i].kind)) problem.b->axes.push_back(axis);
    if (detail::in_out(labels[i].kind)) problem.out.axes.push_back(axis);
  }
  step.a = detail::lay_out(problem.a, memory, true, random);
  step.b = detail::lay_out(*problem.b, memory, true, random);
  step.out = detail::lay_out(problem.out, memory, false, random);
  fill(step.a, types.a, random);
  fill(step.b, types.b, random);
  fill(step.out, types.out, random);
  return step;
}

/// Factors that tell apart what is done with them; whole numbers for integers, 0 or 1 for bool.
inline Scale random_scale(DType accumulator, Random& random) {
  Scale scale;
  const auto pick = [&]() -> std::complex<double> {
    if (accumulator == DType::kBool) return random.integer(0, 3) == 0 ? 0.0 : 1.0;
    if (is_integer(accumulator)) return static_cast<double>(random.integer(is_signed(accumulator) ? -3 : 0, 3));
    const double re = random.uniform(-2, 2);
    return {re, is_complex(accumulator) && random.integer(0, 1) == 0 ? random.uniform(-2, 2) : 0.0};
  };
  if (random.integer(0, 2) > 0) scale.alpha = pick();
  if (random.integer(0, 2) > 0) scale.beta = pick();
  return scale;
}

/// For messages: labels, extents, strides, types and factors.
inline std::string describe(const RandomStep& step) {
  std::ostringstream text;
  const auto operand = [&](const char* name, const OperandLayout& layout) {
    text << name << ' ' << to_string(layout.dtype) << " as " << to_string(layout.load_as) << " [";
    for (const Axis& axis : layout.axes) text << ' ' << axis.label << ':' << axis.extent << '@' << axis.stride;
    text << " ] ";
  };
  operand("a", step.problem.a);
  if (step.problem.b) operand("b", *step.problem.b);
  operand("out", step.problem.out);
  text << "sums in " << to_string(step.problem.accumulator) << ", compensated " << step.problem.compensated
       << ", alpha " << step.scale.alpha << ", beta " << step.scale.beta;
  return text.str();
}

/// Runs a prepared step on the memory, compares with the oracle, and leaves the result in `step.out`. Elements of out's
/// memory that the step does not own must stay as they are.
inline ::testing::AssertionResult run_and_match(const PreparedStep& prepared, RandomStep& step,
                                                const RunContext& context = {}) {
  const OperandMemory before = step.out;
  const void* b = step.problem.b ? step.b.data() : nullptr;
  prepared.run(step.a.data(), b, step.out.data(), step.scale, context);
  ::testing::AssertionResult result = StepOracle(step.problem, step.a, step.b, before, step.scale).matches(step.out);
  if (!result) return result << "\n  " << describe(step) << "\n  " << prepared.describe();
  std::vector<bool> owned(step.out.bytes.size(), false);
  std::vector<detail::StepLoop> kept;
  for (const detail::StepLoop& loop : detail::step_loops(step.problem)) {
    if (loop.kept) kept.push_back(loop);
  }
  const auto item = static_cast<std::int64_t>(size_of(step.problem.out.dtype));
  detail::for_each_point(kept, 0, 0, 0, [&](std::int64_t, std::int64_t, std::int64_t out) {
    for (std::int64_t byte = 0; byte < item; ++byte) {
      owned[static_cast<std::size_t>(step.out.origin + out * item + byte)] = true;
    }
  });
  for (std::size_t i = 0; i < owned.size(); ++i) {
    if (!owned[i] && before.bytes[i] != step.out.bytes[i]) {
      return ::testing::AssertionFailure() << "byte " << i << " of out, which no index reaches, has changed\n  "
                                           << describe(step) << "\n  " << prepared.describe();
    }
  }
  return result;
}

}  // namespace trntensor::testing
