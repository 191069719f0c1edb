#include "trntensor/reference/doubled.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace trntensor::reference {
namespace {

constexpr int kDigits = std::numeric_limits<long double>::digits;

// a + b without error.
Doubled sum_of(long double a, long double b) noexcept {
  const long double high = a + b;
  if (!std::isfinite(high)) return {high, 0};
  const long double b_part = high - a;
  const long double a_part = high - b_part;
  return {high, (a - a_part) + (b - b_part)};
}

// Two numbers of half the digits that sum to a.
Doubled split(long double a) noexcept {
  const long double factor = std::ldexp(1.0L, (kDigits + 1) / 2) + 1;
  const long double scaled = factor * a;
  const long double high = scaled - (scaled - a);
  return {high, a - high};
}

// a * b without error.
Doubled product_of(long double a, long double b) noexcept {
  const long double high = a * b;
  if (!std::isfinite(high)) return {high, 0};
  const Doubled x = split(a);
  const Doubled y = split(b);
  const long double error = ((x.high * y.high - high) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {high, error};
}

bool has_odd_last_bit(long double x) noexcept {
  int exponent = 0;
  const long double whole = std::ldexp(std::frexp(x, &exponent), kDigits);
  return std::fmod(whole, 2.0L) != 0;
}

// Of the two neighbours that enclose a number that lies strictly between them, the one whose last bit is 1.
long double odd_long_double(Doubled x) noexcept {
  if (x.low == 0 || has_odd_last_bit(x.high)) return x.high;
  return std::nextafter(
      x.high, x.low > 0 ? std::numeric_limits<long double>::infinity() : -std::numeric_limits<long double>::infinity());
}

}  // namespace

Doubled add(Doubled x, Doubled y) noexcept {
  const Doubled high = sum_of(x.high, y.high);
  if (!std::isfinite(high.high)) return high;
  const Doubled low = sum_of(x.low, y.low);
  const Doubled middle = sum_of(high.high, high.low + low.high);
  return sum_of(middle.high, middle.low + low.low);
}

Doubled multiply(Doubled x, long double y) noexcept {
  const Doubled product = product_of(x.high, y);
  if (!std::isfinite(product.high)) return product;
  return sum_of(product.high, product.low + x.low * y);
}

double to_nearest(Doubled x) noexcept { return static_cast<double>(odd_long_double(x)); }

double to_odd(Doubled x) noexcept {
  const long double exact = odd_long_double(x);
  const auto nearest = static_cast<double>(exact);
  if (static_cast<long double>(nearest) == exact || !std::isfinite(exact)) return nearest;
  if (!std::isfinite(nearest)) return std::copysign(std::numeric_limits<double>::max(), nearest);
  const bool odd = (std::bit_cast<std::uint64_t>(nearest) & 1U) != 0;
  if (odd) return nearest;
  return std::nextafter(nearest, static_cast<long double>(nearest) < exact ? std::numeric_limits<double>::infinity()
                                                                           : -std::numeric_limits<double>::infinity());
}

}  // namespace trntensor::reference
