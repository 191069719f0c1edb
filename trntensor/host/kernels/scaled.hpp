// A number times alpha or beta.
#pragma once

#include <complex>

#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {

/// factor * value; of integers modulo 2^bits. A factor without imaginary part scales the parts of a complex value
/// apart: as a full product it would turn an infinite part times 0 into NaN.
template <typename T>
T scaled(T factor, T value) noexcept {
  if constexpr (detail::kIsComplex<T>) {
    if (factor.imag() == 0) return T(factor.real() * value.real(), factor.real() * value.imag());
    return T(factor.real() * value.real() - factor.imag() * value.imag(),
             factor.real() * value.imag() + factor.imag() * value.real());
  } else {
    return factor * value;
  }
}

}  // namespace trntensor::host
