// bfloat16 storage: the upper half of a float32.
#pragma once

#include <bit>
#include <cstdint>

#include "trntensor/tensor/minifloat.hpp"

namespace trntensor {

/// Conversions from float, double and integers round to nearest, ties to even, once; NaN stays NaN (quiet), overflow
/// becomes infinity, subnormals are kept. Conversion to float and double is exact.
struct bfloat16 {
  std::uint16_t bits = 0;

  bfloat16() = default;
  explicit constexpr bfloat16(float value) noexcept : bits(from_float(value)) {}
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit constexpr bfloat16(T value) noexcept
      : bits(static_cast<std::uint16_t>(detail::encode_minifloat<detail::Minifloat<8, 7>>(value))) {}
  explicit constexpr operator float() const noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  explicit constexpr operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
  static constexpr bfloat16 from_bits(std::uint16_t pattern) noexcept {
    bfloat16 value;
    value.bits = pattern;
    return value;
  }

 private:
  static constexpr std::uint16_t from_float(float value) noexcept {
    const auto word = std::bit_cast<std::uint32_t>(value);
    if ((word & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((word >> 16) | 0x0040U);
    const std::uint32_t rounding = 0x7fffU + ((word >> 16) & 1U);
    return static_cast<std::uint16_t>((word + rounding) >> 16);
  }
};

}  // namespace trntensor
