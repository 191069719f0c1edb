// One element: from memory of any alignment, to another type, back to memory.
#pragma once

#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

#include "trntensor/tensor/dtype_traits.hpp"

namespace trntensor {

/// Reads an element; the address may be unaligned. For bool any byte other than 0 is true.
template <Storable T>
T load_element(const void* address) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    std::uint8_t byte = 0;
    std::memcpy(&byte, address, 1);
    return byte != 0;
  } else {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return value;
  }
}

/// Writes an element; the address may be unaligned.
template <Storable T>
void store_element(void* address, T value) noexcept {
  std::memcpy(address, &value, sizeof(T));
}

namespace detail {

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

/// float for the 8- and 16-bit formats, which C++ cannot compute with; other types themselves. Exact.
template <Storable T>
auto widen(T value) noexcept {
  if constexpr (std::is_arithmetic_v<T> || kIsComplex<T>) {
    return value;
  } else {
    return static_cast<float>(value);
  }
}

/// Towards zero; what the integer type cannot hold becomes its nearest value, NaN becomes 0.
template <std::integral To, std::floating_point From>
To truncate_saturating(From value) noexcept {
  using Limits = std::numeric_limits<To>;
  // The smallest power of two above the range is exact in every floating type, the largest integer often is not.
  constexpr From kAbove = static_cast<From>(Limits::max() / 2 + 1) * From{2};
  if (value >= kAbove) return Limits::max();
  if (value > static_cast<From>(Limits::min())) return static_cast<To>(value);
  return value <= static_cast<From>(Limits::min()) ? Limits::min() : To{0};
}

}  // namespace detail

/// Converts one element. Floats round to nearest, ties to even, once (never through an intermediate width that
/// rounds twice); real to complex gets a zero imaginary part; complex to real takes the real part; float to integer
/// truncates and saturates (NaN gives 0); anything to bool is `!= 0`; integers wrap to the narrower width.
template <Storable To, Storable From>
To convert_element(From value) noexcept {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, bool>) {
    return detail::widen(value) != decltype(detail::widen(value)){};
  } else if constexpr (detail::kIsComplex<To>) {
    using Part = typename To::value_type;
    if constexpr (detail::kIsComplex<From>) {
      return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    } else {
      return To(static_cast<Part>(detail::widen(value)), Part{0});
    }
  } else if constexpr (detail::kIsComplex<From>) {
    return convert_element<To>(value.real());
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    return detail::truncate_saturating<To>(detail::widen(value));
  } else {
    return static_cast<To>(detail::widen(value));
  }
}

}  // namespace trntensor
