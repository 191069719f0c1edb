// The 8-bit floating-point storage formats.
#pragma once

#include <cstdint>

#include "trntensor/tensor/minifloat.hpp"

namespace trntensor {

/// One 8-bit format. Conversions from float, double and integers round to nearest, ties to even, once; NaN stays NaN,
/// subnormals are kept. Conversion to float and double is exact.
template <typename Format>
struct BasicFloat8 {
  std::uint8_t bits = 0;

  BasicFloat8() = default;
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit constexpr BasicFloat8(T value) noexcept
      : bits(static_cast<std::uint8_t>(detail::encode_minifloat<Format>(value))) {}
  explicit constexpr operator float() const noexcept { return Format::decode(bits); }
  explicit constexpr operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
  static constexpr BasicFloat8 from_bits(std::uint8_t pattern) noexcept {
    BasicFloat8 value;
    value.bits = pattern;
    return value;
  }
};

/// 1-4-3 with infinities, largest finite 240; overflow becomes infinity.
using float8_e4m3 = BasicFloat8<detail::Minifloat<4, 3>>;
/// 1-4-3 without infinity, largest finite 448; overflow and infinities saturate to it.
/// Source: OCP 8-bit Floating Point Specification (OFP8) 1.0, E4M3, saturating mode.
using float8_e4m3fn = BasicFloat8<detail::Minifloat<4, 3, false>>;
/// 1-5-2 with infinities, largest finite 57344; overflow becomes infinity.
using float8_e5m2 = BasicFloat8<detail::Minifloat<5, 2>>;

}  // namespace trntensor
