#include "trntensor/host/exact_sum.hpp"

#include <bit>
#include <cmath>

namespace trntensor::host {
namespace {

constexpr int kBits = 32;
constexpr std::int64_t kBase = std::int64_t{1} << kBits;
constexpr int kMostAdded = 1 << 29;

int width_of(std::uint64_t bits) { return 64 - std::countl_zero(bits); }

/// |a| = bits * 2^exponent, bits < 2^53.
struct Integer {
  std::uint64_t bits = 0;
  int exponent = 0;
};

Integer integer_of(double a) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(a), &exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

/// bits * 2^exponent, rounded to nearest, ties to even; the lowest bit may stand for all that lie below it.
double rounded(std::uint64_t bits, int exponent) {
  constexpr int kLeast = -1074;
  if (exponent >= kLeast) return std::ldexp(static_cast<double>(bits), exponent);
  const int width = width_of(bits);
  // A normal number is rounded to 53 bits by the conversion, a subnormal one to a whole multiple of 2^-1074.
  if (width + exponent > kLeast + 53) return std::ldexp(static_cast<double>(bits), exponent);
  const int dropped = kLeast - exponent;
  if (dropped > 64) return 0.0;
  const std::uint64_t kept = dropped == 64 ? 0 : bits >> dropped;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = dropped == 64 ? bits : bits & (2 * half - 1);
  const bool up = rest > half || (rest == half && kept % 2 != 0);
  return std::ldexp(static_cast<double>(kept + (up ? 1 : 0)), kLeast);
}

}  // namespace

void ExactSum::add_product(double a, double b, int exponent) noexcept {
  if (a == 0.0 || b == 0.0) return;
  const Integer x = integer_of(a);
  const Integer y = integer_of(b);
  // 53 x 53 bits from four products of 32 x 32.
  const std::uint64_t mask = kBase - 1;
  const std::uint64_t low = (x.bits & mask) * (y.bits & mask);
  const std::uint64_t middle = (x.bits >> kBits) * (y.bits & mask) + (low >> kBits);
  const std::uint64_t cross = (x.bits & mask) * (y.bits >> kBits) + (middle & mask);
  const std::uint64_t high = (x.bits >> kBits) * (y.bits >> kBits) + (middle >> kBits) + (cross >> kBits);
  const std::array<std::uint64_t, 4> words{low & mask, cross & mask, high & mask, high >> kBits};
  const int shift = x.exponent + y.exponent + exponent - kLowest;
  const auto first = static_cast<std::size_t>(shift / kBits);
  const int left = shift % kBits;
  const std::int64_t sign = std::signbit(a) == std::signbit(b) ? 1 : -1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t moved = words[i] << left;
    limbs_[first + i] += sign * static_cast<std::int64_t>(moved & mask);
    limbs_[first + i + 1] += sign * static_cast<std::int64_t>(moved >> kBits);
  }
  if (++added_ == kMostAdded) carry();
}

void ExactSum::carry() noexcept {
  std::int64_t carried = 0;
  for (int i = 0; i < kLimbs; ++i) {
    std::int64_t& limb = limbs_[static_cast<std::size_t>(i)];
    limb += carried;
    if (i + 1 == kLimbs) break;  // the last one has the sign
    carried = limb >> kBits;
    limb -= carried * kBase;
  }
  added_ = 0;
}

bool ExactSum::to_magnitude(std::array<std::int64_t, kLimbs>& limbs) const noexcept {
  ExactSum whole = *this;
  whole.carry();
  const bool negative = whole.limbs_.back() < 0;
  if (negative) {
    for (std::int64_t& limb : whole.limbs_) limb = -limb;
    whole.carry();
  }
  limbs = whole.limbs_;
  return negative;
}

double ExactSum::to_double() const noexcept {
  std::array<std::int64_t, kLimbs> limbs{};
  const bool negative = to_magnitude(limbs);
  std::size_t top = limbs.size();
  while (top > 0 && limbs[top - 1] == 0) --top;
  if (top == 0) return 0.0;
  const auto limb = [&](std::size_t from_top) {
    return from_top < top ? static_cast<std::uint64_t>(limbs[top - 1 - from_top]) : 0;
  };
  // The leading 64 bits; below the 53 that are kept, the last one stands for the rest.
  const int width = width_of(limb(0));
  std::uint64_t bits = limb(0) << (64 - width);
  bits |= limb(1) << (kBits - width);
  bits |= limb(2) >> width;
  bool is_rest = (limb(2) & ((std::uint64_t{1} << width) - 1)) != 0;
  for (std::size_t i = 3; i < top; ++i) is_rest |= limb(i) != 0;
  if (is_rest) bits |= 1;
  const int exponent = kLowest + kBits * (static_cast<int>(top) - 1) + width - 64;
  const double result = rounded(bits, exponent);
  return negative ? -result : result;
}

std::array<ExactSum::Piece, 7> ExactSum::pieces() const noexcept {
  std::array<std::int64_t, kLimbs> limbs{};
  const double sign = to_magnitude(limbs) ? -1.0 : 1.0;
  std::array<Piece, 7> pieces{};
  std::size_t top = limbs.size();
  while (top > 0 && limbs[top - 1] == 0) --top;
  for (std::size_t i = 0; i < pieces.size() && i < top; ++i) {
    const std::size_t place = top - 1 - i;
    pieces[i] = {sign * static_cast<double>(limbs[place]), kLowest + kBits * static_cast<int>(place)};
  }
  return pieces;
}

}  // namespace trntensor::host
