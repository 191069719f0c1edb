// Narrow IEEE-like floating-point formats as bit patterns: encoding with one rounding, exact decoding.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace trntensor::detail {

/// The double nearest to `value` rounded to odd: where it is not exact its last bit is 1, so that rounding it once
/// more to a format at least two bits narrower gives what rounding `value` itself would have given.
constexpr double to_double_odd(std::integral auto value) noexcept {
  constexpr int kDoubleDigits = std::numeric_limits<double>::digits;
  if constexpr (std::numeric_limits<decltype(value)>::digits <= kDoubleDigits) {
    return static_cast<double>(value);
  } else {
    const bool negative = value < 0;
    const auto wide = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = negative ? std::uint64_t{0} - wide : wide;
    const int excess = static_cast<int>(std::bit_width(magnitude)) - kDoubleDigits;
    std::uint64_t kept = magnitude;
    if (excess > 0) {
      const std::uint64_t lost = magnitude & ((std::uint64_t{1} << excess) - 1);
      kept = (magnitude >> excess | (lost != 0 ? 1U : 0U)) << excess;
    }
    const auto result = static_cast<double>(kept);
    return negative ? -result : result;
  }
}

/// 1 sign bit, `kExponentBits`, `kMantissaBits`. With infinities the format is IEEE-like and overflow gives infinity;
/// without, only the all-ones pattern is NaN and overflow and infinities saturate (OCP OFP8 E4M3, saturating mode).
template <int kExponentBits, int kMantissaBits, bool kHasInfinity = true>
struct Minifloat {
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint32_t kSign = 1U << (kExponentBits + kMantissaBits);
  static constexpr std::uint32_t kAllOnes = kSign - 1;
  static constexpr std::uint32_t kInfinity = ((1U << kExponentBits) - 1) << kMantissaBits;
  static constexpr std::uint32_t kMaxFinite = kHasInfinity ? kInfinity - 1 : kAllOnes - 1;
  static constexpr std::uint32_t kOverflow = kHasInfinity ? kInfinity : kMaxFinite;

  /// Rounds to nearest, ties to even, once. NaN stays a quiet NaN of the same sign.
  static constexpr std::uint32_t encode(double value) noexcept {
    const auto word = std::bit_cast<std::uint64_t>(value);
    const std::uint32_t sign = (word >> 63) != 0 ? kSign : 0U;
    const std::uint64_t magnitude = word & 0x7fff'ffff'ffff'ffffULL;
    if (magnitude > 0x7ff0'0000'0000'0000ULL) return sign | encode_nan(magnitude);
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    if (exponent > kBias + 1) return sign | kOverflow;
    constexpr int kMinExponent = 1 - kBias;
    const int below = exponent < kMinExponent ? kMinExponent - exponent : 0;
    // Beyond kMantissaBits + 1 places below the smallest normal, everything is under half the smallest subnormal.
    if (below > kMantissaBits + 1) return sign;
    const int shift = 52 - kMantissaBits + below;
    const std::uint64_t significand = (magnitude & 0x000f'ffff'ffff'ffffULL) | 0x0010'0000'0000'0000ULL;
    const std::uint64_t half_minus_one = (std::uint64_t{1} << (shift - 1)) - 1;
    const std::uint64_t rounded = (significand + half_minus_one + ((significand >> shift) & 1U)) >> shift;
    // A normal's leading bit, and a carry out of rounding, add one to the exponent field by themselves.
    const std::uint32_t field = below > 0 ? 0U : static_cast<std::uint32_t>(exponent + kBias - 1) << kMantissaBits;
    const std::uint32_t pattern = field + static_cast<std::uint32_t>(rounded);
    return sign | (pattern > kMaxFinite ? kOverflow : pattern);
  }

  /// Exact; for formats whose values are all normal floats.
  static constexpr float decode(std::uint32_t bits) noexcept {
    static_assert(kExponentBits < 8);
    const std::uint32_t sign = (bits & kSign) << (31 - kExponentBits - kMantissaBits);
    const std::uint32_t magnitude = bits & kAllOnes;
    std::uint32_t word = (magnitude << (23 - kMantissaBits)) + (static_cast<std::uint32_t>(127 - kBias) << 23);
    if (magnitude < (1U << kMantissaBits)) {
      constexpr std::uint32_t kStep = static_cast<std::uint32_t>(127 + 1 - kBias - kMantissaBits) << 23;
      word =
          std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(magnitude)) * std::bit_cast<float>(kStep));
    }
    if (kHasInfinity && magnitude >= kInfinity) word = 0x7f80'0000U | magnitude << (23 - kMantissaBits);
    if (!kHasInfinity && magnitude == kAllOnes) word = 0x7fc0'0000U;
    return std::bit_cast<float>(sign | word);
  }

 private:
  static constexpr std::uint32_t encode_nan(std::uint64_t magnitude) noexcept {
    if constexpr (!kHasInfinity) return kAllOnes;
    const auto payload = static_cast<std::uint32_t>(magnitude >> (52 - kMantissaBits)) & ((1U << kMantissaBits) - 1);
    return kInfinity | 1U << (kMantissaBits - 1) | payload;
  }
};

/// Encodes any arithmetic value with one rounding.
template <typename Format, typename T>
  requires std::is_arithmetic_v<T>
constexpr std::uint32_t encode_minifloat(T value) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return value == T{} ? 0U : Format::encode(to_double_odd(value));
  } else {
    return Format::encode(static_cast<double>(value));
  }
}

}  // namespace trntensor::detail
