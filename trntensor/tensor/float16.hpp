// IEEE binary16 storage.
#pragma once

#include <cstdint>

#include "trntensor/tensor/minifloat.hpp"

namespace trntensor {

/// Conversions from float, double and integers round to nearest, ties to even, once; NaN stays NaN (quiet), overflow
/// becomes infinity, subnormals are kept. Conversion to float and double is exact.
struct float16 {
  std::uint16_t bits = 0;

  float16() = default;
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit constexpr float16(T value) noexcept
      : bits(static_cast<std::uint16_t>(detail::encode_minifloat<detail::Minifloat<5, 10>>(value))) {}
  explicit constexpr operator float() const noexcept { return detail::Minifloat<5, 10>::decode(bits); }
  explicit constexpr operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
  static constexpr float16 from_bits(std::uint16_t pattern) noexcept {
    float16 value;
    value.bits = pattern;
    return value;
  }
};

}  // namespace trntensor
