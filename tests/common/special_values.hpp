// Where a contraction of at most two operands must give NaN, infinities and finite numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tests/common/tolerance.hpp"
#include "trntensor/reference/nest.hpp"
#include "trntensor/reference/reference.hpp"

namespace trntensor::testing {

/// What a real number is in every order of summation.
enum class NumberClass { kFinite, kPlusInfinity, kMinusInfinity, kNan, kNanOrInfinity };

inline std::string to_string(NumberClass kind) {
  constexpr std::array<const char*, 5> kNames{"finite", "+inf", "-inf", "NaN", "NaN or infinite"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// The class of a real or imaginary part; where it is finite, its value and the moduli of its terms.
struct ExpectedPart {
  NumberClass kind = NumberClass::kFinite;
  double value = 0;
  double magnitude = 0;
};

/// One element: the real part, the imaginary part.
using ExpectedParts = std::array<ExpectedPart, 2>;

namespace detail {

/// The terms a * b of one sum of real numbers.
struct Terms {
  bool nan_element = false;
  bool zero_times_infinity = false;
  bool plus_infinity = false;
  bool minus_infinity = false;
  long double finite_sum = 0;
  long double finite_magnitude = 0;

  void add(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) {
      nan_element = true;
    } else if (std::isfinite(a) && std::isfinite(b)) {
      finite_sum += static_cast<long double>(a) * b;
      finite_magnitude += std::abs(static_cast<long double>(a) * b);
    } else if (a == 0 || b == 0) {
      zero_times_infinity = true;
    } else {
      (std::signbit(a) == std::signbit(b) ? plus_infinity : minus_infinity) = true;
    }
  }
  void add(const Terms& other) {
    nan_element |= other.nan_element;
    zero_times_infinity |= other.zero_times_infinity;
    plus_infinity |= other.plus_infinity;
    minus_infinity |= other.minus_infinity;
    finite_sum += other.finite_sum;
    finite_magnitude += other.finite_magnitude;
  }
};

/// Sorts the terms of a contraction of at most two operands, in the shape reference::Nest asks for. Complex products
/// are the textbook formula, four real products, without the recovery of infinities of C99's annex G.
template <typename T>
struct TermArithmetic {
  using Element = T;
  using Value = std::complex<double>;
  struct Sum {
    Value first;  // of a product: its first factor
    std::array<Terms, 2> parts;
  };

  static Value value_of(Element element) { return convert_element<Value>(element); }
  static Sum zero() { return {}; }
  static Sum sum_of(Value value) {
    Sum result{value, {}};
    result.parts[0].add(value.real(), 1);
    result.parts[1].add(value.imag(), 1);
    return result;
  }
  static Sum multiply(const Sum& product, Value b) {
    const Value a = product.first;
    Sum result{};
    auto& [re, im] = result.parts;
    re.add(a.real(), b.real());
    if constexpr (trntensor::detail::kIsComplex<T>) {
      re.add(a.imag(), -b.imag());
      im.add(a.real(), b.imag());
      im.add(a.imag(), b.real());
    }
    return result;
  }
  static Sum add(Sum a, const Sum& b) {
    a.parts[0].add(b.parts[0]);
    a.parts[1].add(b.parts[1]);
    return a;
  }
};

/// True when an operand of two has a summed label to itself, which is then summed before anything is multiplied.
inline bool sums_before_products(const Spec& spec) {
  if (spec.inputs.size() < 2) return false;
  for (std::size_t label = 0; label < spec.extents.size(); ++label) {
    const auto in = [&](const Labels& labels) { return std::ranges::count(labels, static_cast<Label>(label)) > 0; };
    if (!in(spec.output) && in(spec.inputs[0]) != in(spec.inputs[1]) && spec.extents[label] != 1) return true;
  }
  return false;
}

/// The rule. NaN in an element stays NaN in every order of sums. Otherwise, over sums of plain terms:
/// - a term 0 * infinity, or infinities of both signs, give NaN in every order;
/// - infinities of one sign give that infinity in every order, and no infinity a finite number, unless the finite terms
///   may overflow on the way.
/// (sum_x a) * (sum_y b) has the terms a * b of that rule only up to a factoring: where all are finite or infinities of
/// one sign, then so are both sums (a's infinities have one sign, as have b's elements that meet them, and so their sum
/// is not 0) and the infinity is the same; where not, 0 * inf + 1 * inf is NaN but (0 + 1) * inf is not, and either is
/// right.
inline NumberClass class_of(const Terms& terms, bool factored, bool may_overflow) {
  if (terms.nan_element) return NumberClass::kNan;
  if (terms.zero_times_infinity || (terms.plus_infinity && terms.minus_infinity)) {
    return factored ? NumberClass::kNanOrInfinity : NumberClass::kNan;
  }
  if (!terms.plus_infinity && !terms.minus_infinity) return NumberClass::kFinite;
  if (may_overflow) return NumberClass::kNanOrInfinity;
  return terms.plus_infinity ? NumberClass::kPlusInfinity : NumberClass::kMinusInfinity;
}

}  // namespace detail

/// alpha * contraction + beta * out for every element in C order, for one or two operands of a floating compute type, a
/// finite `out`, and real scales with alpha not 0, which scale the parts of complex numbers apart.
inline std::vector<ExpectedParts> expected_parts(const Spec& spec, std::span<const TensorView> operands, DType compute,
                                                 DType accumulator, const reference::ReferenceOptions& options) {
  const double alpha = options.alpha.real();
  const bool factored = detail::sums_before_products(spec);
  std::vector<ExpectedParts> all;
  const auto expect = [&](const detail::Terms& terms, double old_part) {
    ExpectedPart part;
    const double added = options.beta.real() * old_part;
    part.value = static_cast<double>(alpha * terms.finite_sum + added);
    part.magnitude = static_cast<double>(std::abs(alpha) * terms.finite_magnitude + std::abs(added));
    part.kind = detail::class_of(terms, factored, part.magnitude > largest(accumulator));
    if (alpha < 0 && part.kind == NumberClass::kPlusInfinity) {
      part.kind = NumberClass::kMinusInfinity;
    } else if (alpha < 0 && part.kind == NumberClass::kMinusInfinity) {
      part.kind = NumberClass::kPlusInfinity;
    }
    return part;
  };
  visit_dtype(compute, [&]<typename T>(std::type_identity<T>) {
    using Sum = typename detail::TermArithmetic<T>::Sum;
    std::vector<std::complex<double>> old;
    if (options.beta != 0.0) old = reference::read_all<detail::TermArithmetic<T>>(*options.out);
    reference::Nest<detail::TermArithmetic<T>>(spec, operands).for_each_sum([&](const Sum& sum) {
      const std::complex<double> before = old.empty() ? 0.0 : old[all.size()];
      all.push_back({expect(sum.parts[0], before.real()), expect(sum.parts[1], before.imag())});
    });
  });
  return all;
}

/// Whether a number read from a tensor of type `output` is of the class. float8_e4m3fn saturates: its largest number
/// stands for infinity.
inline bool is_of_class(double actual, NumberClass kind, DType output) {
  const double infinity = output == DType::kFloat8E4M3FN ? largest(output) : std::numeric_limits<double>::infinity();
  switch (kind) {
    case NumberClass::kFinite:
      return std::isfinite(actual);
    case NumberClass::kPlusInfinity:
      return actual == infinity;
    case NumberClass::kMinusInfinity:
      return actual == -infinity;
    case NumberClass::kNan:
      return std::isnan(actual);
    case NumberClass::kNanOrInfinity:
      return std::isnan(actual) || std::abs(actual) == infinity;
  }
  return false;
}

}  // namespace trntensor::testing
