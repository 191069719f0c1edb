#include "tests/precision/wide_number.hpp"

namespace trntensor::testing {
namespace {

constexpr mpfr_prec_t kBits = 300;

}  // namespace

WideNumber::WideNumber(double value) {
  mpfr_init2(value_, kBits);
  mpfr_set_d(value_, value, MPFR_RNDN);
}

WideNumber::WideNumber(const WideNumber& other) {
  mpfr_init2(value_, kBits);
  mpfr_set(value_, other.value_, MPFR_RNDN);
}

WideNumber& WideNumber::operator=(const WideNumber& other) {
  if (this != &other) mpfr_set(value_, other.value_, MPFR_RNDN);
  return *this;
}

WideNumber::~WideNumber() { mpfr_clear(value_); }

WideNumber& WideNumber::operator+=(const WideNumber& other) {
  mpfr_add(value_, value_, other.value_, MPFR_RNDN);
  return *this;
}

WideNumber operator-(const WideNumber& a, const WideNumber& b) {
  WideNumber result;
  mpfr_sub(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

WideNumber operator*(const WideNumber& a, const WideNumber& b) {
  WideNumber result;
  mpfr_mul(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

WideNumber operator/(const WideNumber& a, const WideNumber& b) {
  WideNumber result;
  mpfr_div(result.value_, a.value_, b.value_, MPFR_RNDN);
  return result;
}

bool operator<(const WideNumber& a, const WideNumber& b) { return mpfr_less_p(a.value_, b.value_) != 0; }

WideNumber WideNumber::abs() const {
  WideNumber result;
  mpfr_abs(result.value_, value_, MPFR_RNDN);
  return result;
}

WideNumber WideNumber::scaled(long exponent) const {
  WideNumber result;
  mpfr_mul_2si(result.value_, value_, exponent, MPFR_RNDN);
  return result;
}

double WideNumber::to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

}  // namespace trntensor::testing
