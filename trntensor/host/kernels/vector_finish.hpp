// From sums to results: alpha * sum + beta * out, one rounding to the accumulator type at the end.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

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

/// A sum of products whose rounding errors are kept. Must be compiled without contraction of a * b + c.
struct TwiceDouble {
  double s = -0.0;
  double c = 0.0;

  void add(double value, double error) noexcept {
    const double sum = s + value;
    const double z = sum - s;
    c += ((s - (sum - z)) + (value - z)) + error;
    s = sum;
  }
  void multiply_add(double a, double b) noexcept {
    const double product = a * b;
    add(product, product_error(a, b, product));
  }
  /// What lies in memory as a sum and its correction; infinite sums have no meaningful correction.
  void multiply_add(double a, double sum, double correction) noexcept {
    multiply_add(a, sum);
    c += a * correction;
  }
  [[nodiscard]] double value() const noexcept { return c == 0.0 || !std::isfinite(c) ? s : s + c; }

 private:
  static double high_half(double v) noexcept {
    const double scaled = v * 134217729.0;
    return scaled - (scaled - v);
  }
  // T. J. Dekker, Numer. Math. 18 (1971) 224.
  static double product_error(double a, double b, double product) noexcept {
    const double ah = high_half(a);
    const double al = a - ah;
    const double bh = high_half(b);
    const double bl = b - bh;
    return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
  }
};

template <bool kComplex>
void finish_compensated(const void* acc_block, std::int64_t n, std::complex<double> alpha, std::complex<double> beta,
                        const void* out_run, void* result_run) noexcept {
  constexpr std::int64_t kParts = kComplex ? 2 : 1;
  const auto* sum = static_cast<const double*>(acc_block);
  const auto* correction = sum + kParts * n;
  const auto* out = static_cast<const double*>(out_run);
  auto* result = static_cast<double*>(result_run);
  for (std::int64_t j = 0; j < kParts * n; j += kParts) {
    TwiceDouble part[2];
    for (std::int64_t p = 0; p < kParts; ++p) {
      part[p].multiply_add(alpha.real(), sum[j + p], correction[j + p]);
      if (beta != 0.0) part[p].multiply_add(beta.real(), out[j + p]);
    }
    if (kComplex && alpha.imag() != 0.0) {
      part[0].multiply_add(-alpha.imag(), sum[j + 1], correction[j + 1]);
      part[1].multiply_add(alpha.imag(), sum[j], correction[j]);
    }
    if (kComplex && beta.imag() != 0.0) {
      part[0].multiply_add(-beta.imag(), out[j + 1]);
      part[1].multiply_add(beta.imag(), out[j]);
    }
    for (std::int64_t p = 0; p < kParts; ++p) result[j + p] = part[p].value();
  }
}

}  // namespace trntensor::host::vector_detail
