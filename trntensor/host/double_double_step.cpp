#include "trntensor/host/double_double_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trntensor/host/exact_step.hpp"
#include "trntensor/host/number_range.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/support/aligned_memory.hpp"

namespace trntensor::host {
namespace {

using Complex = std::complex<double>;

/// Products whose lowest bit is not below 2^kLowestBit are held with their rounding errors, which 2^-1074 would allow
/// for; what is left is for the factors of the result.
constexpr int kLowestBit = -960;
/// Sums and factors above these powers of 2 are not risked; the splitting of factors without fused multiply-add
/// overflows at 2^996.
constexpr int kHighestSum = 1010;
constexpr int kHighestFactor = 990;
/// The errors lost by products below 2^kTiny do not count beside a sum of at least that for each term.
constexpr int kTiny = -950;

/// The number of bits of a count: 2 to that is more.
int bits_of(std::int64_t count) {
  int bits = 0;
  for (; count > 0; count /= 2) ++bits;
  return bits;
}

enum class Fit {
  kAll,         ///< every product and its rounding error is a double
  kAllButTiny,  ///< products may be too small for that
  kNone,        ///< products or sums may overflow
};

struct Ranges {
  NumberRange a;
  NumberRange b;
  NumberRange alpha;
};

Fit fit_of(const Ranges& ranges, std::int64_t terms) {
  const auto& [a, b, alpha] = ranges;
  const int sum = a.highest + b.highest + bits_of(2 * terms) + std::max(0, alpha.highest);
  if (sum > kHighestSum || std::max({a.highest, b.highest, alpha.highest}) > kHighestFactor) return Fit::kNone;
  return a.lowest_bit + b.lowest_bit + std::min(0, alpha.lowest_bit) < kLowestBit ? Fit::kAllButTiny : Fit::kAll;
}

NumberRange range_of_number(Complex number) {
  NumberRange range;
  range.add(number.real());
  range.add(number.imag());
  return range;
}

/// A step of real or complex numbers of one part each.
class Variant {
 public:
  Variant(const StepProblem& problem, const PrepareStep& prepare)
      : problem_(problem), prepare_(prepare), vectors_(prepare(problem)), exact_(problem) {}

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context,
           Ranges ranges) const {
    ranges.alpha = range_of_number(scale.alpha);
    switch (fit_of(ranges, exact_.terms())) {
      case Fit::kAll:
        vectors_->run(a, b, out, scale, context);
        return;
      case Fit::kAllButTiny:
        run_exactly(a, b, out, scale, context, tiny_elements(a, b, context, ranges), true);
        return;
      case Fit::kNone: {
        std::vector<std::int64_t> all(static_cast<std::size_t>(exact_.size()));
        std::iota(all.begin(), all.end(), 0);
        run_exactly(a, b, out, scale, context, all, false);
        return;
      }
    }
  }

  [[nodiscard]] std::string describe() const { return vectors_->describe(); }

 private:
  /// The elements whose sum is so small that lost errors of products would count.
  [[nodiscard]] std::vector<std::int64_t> tiny_elements(const void* a, const void* b, const RunContext& context,
                                                        const Ranges& ranges) const {
    StepProblem sums = problem_;
    sums.out.dtype = sums.out.load_as = problem_.accumulator;
    const std::int64_t elements = pack_axes(sums.out);
    const std::size_t item = size_of(problem_.accumulator);
    const AlignedBuffer buffer = allocate_aligned(static_cast<std::size_t>(elements) * item);
    prepare_(sums)->run(a, b, buffer.get(), Scale{}, context);
    const double least = std::ldexp(1.0, kTiny + bits_of(2 * exact_.terms()) + std::max(0, 1 - ranges.alpha.highest));
    const std::size_t parts = item / sizeof(double);
    const auto* const numbers = reinterpret_cast<const double*>(buffer.get());
    std::vector<std::int64_t> tiny;
    for (std::int64_t i = 0; i < elements; ++i) {
      const double* const number = numbers + static_cast<std::size_t>(i) * parts;
      if (std::any_of(number, number + parts, [&](double part) { return std::abs(part) < least; })) tiny.push_back(i);
    }
    return tiny;
  }

  /// Elements `indices` by exact sums, the others, if asked for, by vectors.
  void run_exactly(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context,
                   const std::vector<std::int64_t>& indices, bool others) const {
    std::vector<Complex> old;
    if (scale.beta != 0.0) {
      old.reserve(indices.size());
      for (const std::int64_t index : indices) old.push_back(exact_.load(out, index));
    }
    if (others) vectors_->run(a, b, out, scale, context);
    with_threads(context.num_threads, [&] { exact_.run(a, b, out, scale, context, indices, old); });
  }

  StepProblem problem_;
  PrepareStep prepare_;
  std::unique_ptr<const PreparedStep> vectors_;
  ExactStep exact_;
};

Label unused_label(const StepProblem& problem) {
  Label largest = 0;
  const auto look_at = [&](const OperandLayout& layout) {
    for (const Axis& axis : layout.axes) largest = std::max(largest, axis.label);
  };
  look_at(problem.a);
  if (problem.b) look_at(*problem.b);
  look_at(problem.out);
  return largest + 1;
}

/// The two parts of an operand as an axis to be summed over.
StepProblem with_axes_of_parts(StepProblem problem) {
  Label label = unused_label(problem);
  if (problem.parts.a != 0) {
    problem.a.axes.push_back({label, 2, problem.parts.a});
    if (problem.b) problem.b->axes.push_back({label, 2, 0});
    ++label;
  }
  if (problem.parts.b != 0) {
    problem.b->axes.push_back({label, 2, problem.parts.b});
    problem.a.axes.push_back({label, 2, 0});
  }
  problem.parts = {};
  return problem;
}

StepProblem without_parts(StepProblem problem) {
  problem.parts = {};
  return problem;
}

class DoubleDoubleStep final : public PreparedStep {
 public:
  DoubleDoubleStep(const StepProblem& problem, const PrepareStep& prepare)
      : problem_(with_axes_of_parts(problem)), out_parts_(problem.parts.out), whole_(problem_, prepare) {
    // The second part is often 0, which an infinity it meets would turn into NaN.
    if (problem.parts.a != 0 || problem.parts.b != 0) first_parts_.emplace(without_parts(problem), prepare);
  }

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override {
    Ranges ranges;
    ranges.a = range_of(problem_.a, problem_.accumulator, a);
    if (problem_.b) {
      ranges.b = range_of(*problem_.b, problem_.accumulator, b);
    } else {
      ranges.b.add(1.0);
    }
    const bool finite = ranges.a.is_finite && ranges.b.is_finite;
    const Variant& variant = first_parts_ && !finite ? *first_parts_ : whole_;
    variant.run(a, b, out, scale, context, ranges);
    if (out_parts_ != 0) {
      run_second_part(variant, a, b, static_cast<std::byte*>(out), {scale.alpha, -1.0}, context, ranges);
    }
  }

  [[nodiscard]] std::string describe() const override {
    return whole_.describe() + (out_parts_ != 0 ? ", then what rounding took from it" : "");
  }

 private:
  /// The same result less its rounded value, behind that.
  void run_second_part(const Variant& variant, const void* a, const void* b, std::byte* out, const Scale& less_rounded,
                       const RunContext& context, const Ranges& ranges) const {
    const std::size_t bytes = static_cast<std::size_t>(out_parts_) * size_of(problem_.accumulator);
    std::memcpy(out + bytes, out, bytes);
    variant.run(a, b, out + bytes, less_rounded, context, ranges);
    const auto* const rounded = reinterpret_cast<const double*>(out);
    auto* const rest = reinterpret_cast<double*>(out + bytes);
    for (std::size_t i = 0; i < bytes / sizeof(double); ++i) {
      if (!std::isfinite(rounded[i])) rest[i] = 0;
    }
  }

  StepProblem problem_;
  std::int64_t out_parts_;
  Variant whole_;
  std::optional<Variant> first_parts_;
};

}  // namespace

std::unique_ptr<const PreparedStep> prepare_double_double(const StepProblem& problem, const PrepareStep& prepare) {
  return std::make_unique<DoubleDoubleStep>(problem, prepare);
}

}  // namespace trntensor::host
