// From plain sums to results: alpha * sum + beta * out.
#pragma once

#include <complex>
#include <cstdint>

#include "trntensor/host/kernels/scaled.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host::vector_detail {

template <typename T>
void finish_plain(const void* acc_block, std::int64_t n, std::complex<double> alpha, std::complex<double> beta,
                  const void* out_run, void* result_run) noexcept {
  const auto* acc = static_cast<const T*>(acc_block);
  const auto* out = static_cast<const T*>(out_run);
  auto* result = static_cast<T*>(result_run);
  const T of_sums = convert_element<T>(alpha);
  if (beta == 0.0) {
    for (std::int64_t j = 0; j < n; ++j) result[j] = scaled(of_sums, acc[j]);
  } else {
    const T of_out = convert_element<T>(beta);
    for (std::int64_t j = 0; j < n; ++j) result[j] = scaled(of_sums, acc[j]) + scaled(of_out, out[j]);
  }
}

}  // namespace trntensor::host::vector_detail
