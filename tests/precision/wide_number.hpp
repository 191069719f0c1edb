// Numbers of 300 bits and unlimited exponents, by MPFR.
#pragma once

#include <mpfr.h>

namespace trntensor::testing {

/// Every operation is rounded to 300 bits.
class WideNumber {
 public:
  WideNumber(double value = 0.0);  // NOLINT(google-explicit-constructor): doubles are wide numbers
  WideNumber(const WideNumber& other);
  WideNumber& operator=(const WideNumber& other);
  ~WideNumber();

  WideNumber& operator+=(const WideNumber& other);
  friend WideNumber operator+(WideNumber a, const WideNumber& b) { return a += b; }
  friend WideNumber operator-(const WideNumber& a, const WideNumber& b);
  friend WideNumber operator*(const WideNumber& a, const WideNumber& b);
  friend WideNumber operator/(const WideNumber& a, const WideNumber& b);
  friend bool operator<(const WideNumber& a, const WideNumber& b);
  [[nodiscard]] WideNumber abs() const;

  /// this * 2^exponent.
  [[nodiscard]] WideNumber scaled(long exponent) const;

  /// Rounded once, to nearest; infinite when out of range.
  [[nodiscard]] double to_double() const;

 private:
  mpfr_t value_;
};

}  // namespace trntensor::testing
