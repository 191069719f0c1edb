// From plain sums to results: alpha * sum + beta * out.
#pragma once

#include <complex>
#include <cstdint>

#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host::vector_detail {

/// A value scaled; a real factor scales both parts of a complex value, so that an infinite part does not make the
/// other one NaN.
template <typename T>
T scaled(std::complex<double> factor, T value) noexcept {
  if constexpr (detail::kIsComplex<T>) {
    using Part = typename T::value_type;
    const auto re = static_cast<Part>(factor.real());
    const auto im = static_cast<Part>(factor.imag());
    if (factor.imag() == 0.0) return T(re * value.real(), re * value.imag());
    return T(re * value.real() - im * value.imag(), re * value.imag() + im * value.real());
  } else {
    return static_cast<T>(factor.real()) * value;
  }
}

template <typename T>
void finish_plain(const void* acc_block, std::int64_t n, std::complex<double> alpha, std::complex<double> beta,
                  const void* out_run, void* result_run) noexcept {
  const auto* acc = static_cast<const T*>(acc_block);
  const auto* out = static_cast<const T*>(out_run);
  auto* result = static_cast<T*>(result_run);
  if (beta == 0.0) {
    for (std::int64_t j = 0; j < n; ++j) result[j] = scaled(alpha, acc[j]);
  } else {
    for (std::int64_t j = 0; j < n; ++j) result[j] = scaled(alpha, acc[j]) + scaled(beta, out[j]);
  }
}

}  // namespace trntensor::host::vector_detail
