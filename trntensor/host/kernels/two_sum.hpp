// Sums and products of doubles together with their rounding errors, and sums that carry a correction made of them.
//
// Sources: D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B (TwoSum); T. Ogita, S. M. Rump,
// S. Oishi, "Accurate Sum and Dot Product", SIAM J. Sci. Comput. 26 (2005) 1955-1988, algorithms 3.5 (TwoProduct by
// FMA), 4.4 (Sum2), 5.3 (Dot2) and 5.10 (DotK), doi:10.1137/030601818.
//
// Every file that uses this header or two_sum-inl.hpp for more than plain sums is compiled with -ffp-contract=off (see
// CMakeLists.txt of the host library): a product joined with a following addition is never rounded, and the error
// found for its rounding is then wrong.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

namespace trntensor::host {

/// value + error is exactly the sum or product, unless something overflows or (products only) underflows.
struct WithError {
  double value;
  double error;
};

inline WithError two_sum(double a, double b) noexcept {
  const double sum = a + b;
  const double moved = sum - a;
  return {sum, (a - (sum - moved)) + (b - moved)};
}

inline WithError two_product(double a, double b) noexcept {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// What a sum and its correction stand for. After an overflow on the way the correction is infinite or NaN and says
/// nothing: the sum is then as good as a plain one. Without a correction a sum of -0 stays -0.
inline double compensated_value(double sum, double correction) noexcept {
  return correction == 0.0 || !std::isfinite(correction) ? sum : sum + correction;
}

/// A sum of terms and products as if computed with twice the digits, kept in two numbers. -0 is what changes no term.
struct CompensatedSum {
  double sum = -0.0;
  double correction = 0.0;

  /// `error` belongs to the term.
  void add(double term, double error = 0.0) noexcept {
    const WithError total = two_sum(sum, term);
    sum = total.value;
    correction += total.error + error;
  }
  void multiply_add(double a, double b) noexcept {
    const WithError product = two_product(a, b);
    add(product.value, product.error);
  }
  void multiply_add(double factor, const CompensatedSum& other) noexcept {
    multiply_add(factor, other.sum);
    correction += factor * other.correction;
  }
  void add(const CompensatedSum& other) noexcept { add(other.sum, other.correction); }
  [[nodiscard]] CompensatedSum negated() const noexcept { return {-sum, -correction}; }
  [[nodiscard]] double value() const noexcept { return compensated_value(sum, correction); }

  /// The numbers of a sum lie `distance` apart.
  static CompensatedSum load(const double* numbers, std::int64_t distance) noexcept {
    return {numbers[0], numbers[distance]};
  }
  void store(double* numbers, std::int64_t distance) const noexcept {
    numbers[0] = sum;
    numbers[distance] = correction;
  }
};

/// A sum of terms and products as if computed with three times the digits, kept in three numbers.
struct TripleSum {
  double sum = -0.0;
  double correction = 0.0;
  double rest = 0.0;

  /// `error` belongs to the term.
  void add(double term, double error = 0.0) noexcept {
    const WithError total = two_sum(sum, term);
    sum = total.value;
    correct(error);
    correct(total.error);
  }
  void add(const TripleSum& other) noexcept {
    add(other.sum, other.correction);
    rest += other.rest;
  }
  void multiply_add(double a, double b) noexcept {
    const WithError product = two_product(a, b);
    add(product.value, product.error);
  }
  void multiply_add(double factor, const TripleSum& other) noexcept {
    multiply_add(factor, other.sum);
    const WithError product = two_product(factor, other.correction);
    correct(product.value);
    rest += product.error + factor * other.rest;
  }
  [[nodiscard]] TripleSum negated() const noexcept { return {-sum, -correction, -rest}; }

  /// As compensated_value.
  [[nodiscard]] double value() const noexcept {
    const double tail = correction + rest;
    if ((correction == 0.0 && rest == 0.0) || !std::isfinite(tail)) return sum;
    const WithError upper = two_sum(sum, correction);
    return std::isfinite(upper.value) ? upper.value + (upper.error + rest) : upper.value;
  }

  /// The numbers of a sum lie `distance` apart.
  static TripleSum load(const double* numbers, std::int64_t distance) noexcept {
    return {numbers[0], numbers[distance], numbers[2 * distance]};
  }
  void store(double* numbers, std::int64_t distance) const noexcept {
    numbers[0] = sum;
    numbers[distance] = correction;
    numbers[2 * distance] = rest;
  }

 private:
  void correct(double error) noexcept {
    const WithError total = two_sum(correction, error);
    correction = total.value;
    rest += total.error;
  }
};

/// (re, im) += factor * (x, y), of CompensatedSums or TripleSums; x and y are doubles or such sums. A factor without
/// imaginary part scales the parts apart.
template <class Sum, class Value>
void multiply_add(Sum& re, Sum& im, std::complex<double> factor, const Value& x, const Value& y) noexcept {
  re.multiply_add(factor.real(), x);
  im.multiply_add(factor.real(), y);
  if (factor.imag() == 0.0) return;
  re.multiply_add(-factor.imag(), y);
  im.multiply_add(factor.imag(), x);
}

}  // namespace trntensor::host
