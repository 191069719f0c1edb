// The obvious loops for a StepProblem, and the comparison of a computed result with them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tests/common/tolerance.hpp"
#include "trntensor/plan/executor.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::testing {

/// Memory of one operand: bytes, and where the element with all indices 0 is.
struct OperandMemory {
  std::vector<std::byte> bytes;
  std::int64_t origin = 0;  ///< in bytes, any alignment

  [[nodiscard]] const std::byte* data() const { return bytes.data() + origin; }
  std::byte* data() { return bytes.data() + origin; }
};

using Wide = std::complex<long double>;

namespace detail {

/// A label's extent and its strides in the three operands.
struct StepLoop {
  Label label = 0;
  std::int64_t extent = 1;
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;
  bool kept = false;
};

inline std::vector<StepLoop> step_loops(const StepProblem& problem) {
  std::vector<StepLoop> loops;
  const auto loop_of = [&](const Axis& axis) -> StepLoop& {
    for (StepLoop& loop : loops) {
      if (loop.label == axis.label) return loop;
    }
    loops.push_back({axis.label, axis.extent, 0, 0, 0, false});
    return loops.back();
  };
  for (const Axis& axis : problem.out.axes) {
    StepLoop& loop = loop_of(axis);
    loop.out = axis.stride;
    loop.kept = true;
  }
  for (const Axis& axis : problem.a.axes) loop_of(axis).a = axis.stride;
  if (problem.b) {
    for (const Axis& axis : problem.b->axes) loop_of(axis).b = axis.stride;
  }
  return loops;
}

/// Calls visit(offset in a, in b, in out) for every point of the loops.
template <typename Visit>
void for_each_point(std::span<const StepLoop> loops, std::int64_t a, std::int64_t b, std::int64_t out,
                    const Visit& visit) {
  if (loops.empty()) {
    visit(a, b, out);
    return;
  }
  const StepLoop& loop = loops.front();
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    for_each_point(loops.subspan(1), a + i * loop.a, b + i * loop.b, out + i * loop.out, visit);
  }
}

/// The element at `offset`, rounded to `load_as`, as a wide number or as an integer modulo 2^64. Where sums are bool,
/// `load_as` is too.
template <typename Number>
Number read(const std::byte* data, DType dtype, DType load_as, std::int64_t offset) {
  return visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
    const T stored = load_element<T>(data + offset * static_cast<std::int64_t>(sizeof(T)));
    return visit_dtype(load_as, [&]<typename L>(std::type_identity<L>) {
      const L value = convert_element<L>(stored);
      if constexpr (std::is_same_v<Number, std::uint64_t>) {
        return static_cast<std::uint64_t>(convert_element<std::int64_t>(value));
      } else {
        const auto number = convert_element<std::complex<double>>(value);
        return Number(number.real(), number.imag());
      }
    });
  });
}

/// Plain product; a factor without imaginary part scales the parts apart.
inline Wide scaled(std::complex<double> factor, const Wide& value) {
  const long double re = factor.real();
  const long double im = factor.imag();
  if (im == 0) return {re * value.real(), re * value.imag()};
  return {re * value.real() - im * value.imag(), re * value.imag() + im * value.real()};
}

/// One element of the exact result, and what errors are measured against.
struct Expected {
  Wide value = 0;
  long double magnitude = 0;
};

}  // namespace detail

/// The largest error allowed for one element: the common bound, and for compensated sums that of Dot2 (Ogita, Rump,
/// Oishi 2005, proposition 5.5: u |result| + gamma_k^2 sum |a||b|), where long double, the oracle's own type, allows.
inline double step_tolerance(const StepProblem& problem, double depth, double value, double magnitude) {
  if (!problem.compensated) return tolerance(problem.accumulator, problem.out.dtype, depth, 2, value, magnitude);
  const double eps = epsilon(problem.accumulator);
  return 8 * (depth + 4) * (eps * eps + 0x1p-63) * magnitude + 4 * eps * value + epsilon(problem.out.dtype) * value +
         smallest(problem.out.dtype);
}

namespace detail {

/// A real value once it was written to an element of `dtype`.
inline long double as_stored(DType dtype, long double value) {
  return visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
    const auto stored = convert_element<T>(static_cast<double>(value));
    return static_cast<long double>(convert_element<std::complex<double>>(stored).real());
  });
}

inline ::testing::AssertionResult matches_float(const StepProblem& problem, const Expected& expected, double depth,
                                                const Wide& computed) {
  const auto part_matches = [&](long double want, long double got, double bound) {
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
    if (std::isinf(want)) return want == got;
    if (!std::isfinite(bound)) return true;  // the other part may be what is not finite
    // Within the bound, or what the end of the bound becomes in a type that overflows or saturates.
    return as_stored(problem.out.dtype, want - bound) <= got && got <= as_stored(problem.out.dtype, want + bound);
  };
  const auto value = static_cast<double>(std::abs(expected.value));
  const double bound = step_tolerance(problem, depth, value, static_cast<double>(expected.magnitude));
  if (part_matches(expected.value.real(), computed.real(), bound) &&
      part_matches(expected.value.imag(), computed.imag(), bound)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "computed " << computed << ", exact " << expected.value << ", bound "
                                       << bound;
}

/// alpha * sum + beta * old, wrapped to the accumulator, as the bits of an element of out.
inline std::vector<std::byte> exact_element(const StepProblem& problem, std::uint64_t sum) {
  return visit_dtype(problem.accumulator, [&]<typename Acc>(std::type_identity<Acc>) {
    return visit_dtype(problem.out.dtype, [&]<typename Out>(std::type_identity<Out>) {
      std::vector<std::byte> bytes(sizeof(Out));
      const auto wrapped = convert_element<Acc>(static_cast<std::int64_t>(sum));
      store_element(bytes.data(), convert_element<Out>(wrapped));
      return bytes;
    });
  });
}

inline std::uint64_t whole_factor(std::complex<double> factor, bool is_bool) {
  if (is_bool) return factor != 0.0 ? 1 : 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(factor.real()));
}

}  // namespace detail

/// One step with its data, and what its result must be.
class StepOracle {
 public:
  StepOracle(const StepProblem& problem, const OperandMemory& a, const OperandMemory& b, const OperandMemory& before,
             const Scale& scale)
      : problem_(problem), a_(a), b_(b), before_(before), scale_(scale) {
    for (const detail::StepLoop& loop : detail::step_loops(problem)) {
      (loop.kept ? kept_ : summed_).push_back(loop);
      if (!loop.kept) depth_ *= static_cast<double>(loop.extent);
    }
  }

  /// Compares `computed` with alpha * sum(a * b) + beta * before, element by element: integers and bool exactly, other
  /// types within step_tolerance; NaN and infinities must be the same.
  [[nodiscard]] ::testing::AssertionResult matches(const OperandMemory& computed) const {
    const bool is_whole = problem_.accumulator == DType::kBool || is_integer(problem_.accumulator);
    ::testing::AssertionResult result = ::testing::AssertionSuccess();
    detail::for_each_point(kept_, 0, 0, 0, [&](std::int64_t a, std::int64_t b, std::int64_t out) {
      if (!result) return;
      result = is_whole ? whole_matches(a, b, out, computed) : float_matches(a, b, out, computed);
      if (!result) result << ", element at offset " << out;
    });
    return result;
  }

 private:
  [[nodiscard]] ::testing::AssertionResult whole_matches(std::int64_t a0, std::int64_t b0, std::int64_t out,
                                                         const OperandMemory& computed) const {
    const bool is_bool = problem_.accumulator == DType::kBool;
    std::uint64_t sum = 0;
    detail::for_each_point(summed_, a0, b0, 0, [&](std::int64_t i, std::int64_t j, std::int64_t) {
      const auto x = read_a<std::uint64_t>(i);
      const std::uint64_t y = problem_.b ? read_b<std::uint64_t>(j) : 1;
      sum = is_bool ? sum | (x & y) : sum + x * y;
    });
    sum *= detail::whole_factor(scale_.alpha, is_bool);
    if (scale_.beta != 0.0) sum += detail::whole_factor(scale_.beta, is_bool) * read_before<std::uint64_t>(out);
    const std::vector<std::byte> want = detail::exact_element(problem_, sum);
    const std::byte* got = computed.data() + out * static_cast<std::int64_t>(want.size());
    if (std::memcmp(want.data(), got, want.size()) == 0) return ::testing::AssertionSuccess();
    const DType dtype = problem_.out.dtype;
    return ::testing::AssertionFailure() << "exact " << static_cast<std::int64_t>(sum) << ", computed "
                                         << static_cast<std::int64_t>(
                                                detail::read<std::uint64_t>(computed.data(), dtype, dtype, out));
  }

  [[nodiscard]] ::testing::AssertionResult float_matches(std::int64_t a0, std::int64_t b0, std::int64_t out,
                                                         const OperandMemory& computed) const {
    detail::Expected expected;
    detail::for_each_point(summed_, a0, b0, 0, [&](std::int64_t i, std::int64_t j, std::int64_t) {
      const Wide x = read_a<Wide>(i);
      const Wide y = problem_.b ? read_b<Wide>(j) : Wide(1);
      expected.value += product(x, y);
      expected.magnitude += std::abs(x) * std::abs(y);
    });
    expected.value = detail::scaled(scale_.alpha, expected.value);
    expected.magnitude *= std::abs(scale_.alpha);
    if (scale_.beta != 0.0) {
      const Wide old = read_before<Wide>(out);
      expected.value += detail::scaled(scale_.beta, old);
      expected.magnitude += std::abs(scale_.beta) * std::abs(old);
    }
    if (!is_complex(problem_.out.dtype)) expected.value = expected.value.real();
    const DType dtype = problem_.out.dtype;
    return detail::matches_float(problem_, expected, depth_, detail::read<Wide>(computed.data(), dtype, dtype, out));
  }

  /// Real factors scale the parts of a complex one apart only where the accumulator is real.
  [[nodiscard]] Wide product(const Wide& x, const Wide& y) const {
    if (!problem_.b) return x;
    if (!is_complex(problem_.accumulator)) return x.real() * y.real();
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  }

  template <typename Number>
  [[nodiscard]] Number read_a(std::int64_t offset) const {
    return detail::read<Number>(a_.data(), problem_.a.dtype, problem_.a.load_as, offset);
  }
  template <typename Number>
  [[nodiscard]] Number read_b(std::int64_t offset) const {
    return detail::read<Number>(b_.data(), problem_.b->dtype, problem_.b->load_as, offset);
  }
  template <typename Number>
  [[nodiscard]] Number read_before(std::int64_t offset) const {
    return detail::read<Number>(before_.data(), problem_.out.dtype, problem_.accumulator, offset);
  }

  const StepProblem& problem_;
  const OperandMemory& a_;
  const OperandMemory& b_;
  const OperandMemory& before_;
  const Scale& scale_;
  std::vector<detail::StepLoop> kept_;
  std::vector<detail::StepLoop> summed_;
  double depth_ = 1;
};

}  // namespace trntensor::testing
