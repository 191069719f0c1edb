// From compensated sums to results: alpha * sum + beta * out, rounded once at the end.
#pragma once

#include <complex>
#include <cstdint>

#include "trntensor/host/kernels/two_sum.hpp"

namespace trntensor::host::vector_detail {

/// `Sum` is CompensatedSum or TripleSum.
template <class Sum, bool kComplex>
void finish_compensated(const void* acc_block, std::int64_t n, std::complex<double> alpha, std::complex<double> beta,
                        const void* out_run, void* result_run) noexcept {
  constexpr std::int64_t kParts = kComplex ? 2 : 1;
  const auto* sums = static_cast<const double*>(acc_block);
  const std::int64_t distance = kParts * n;
  const auto* out = static_cast<const double*>(out_run);
  auto* result = static_cast<double*>(result_run);
  for (std::int64_t j = 0; j < kParts * n; j += kParts) {
    if constexpr (kComplex) {
      Sum re;
      Sum im;
      multiply_add(re, im, alpha, Sum::load(sums + j, distance), Sum::load(sums + j + 1, distance));
      if (beta != 0.0) multiply_add(re, im, beta, out[j], out[j + 1]);
      result[j] = re.value();
      result[j + 1] = im.value();
    } else {
      Sum total;
      total.multiply_add(alpha.real(), Sum::load(sums + j, distance));
      if (beta != 0.0) total.multiply_add(beta.real(), out[j]);
      result[j] = total.value();
    }
  }
}

}  // namespace trntensor::host::vector_detail
