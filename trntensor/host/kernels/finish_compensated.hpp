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
    Sum part[2];
    for (std::int64_t p = 0; p < kParts; ++p) {
      part[p].multiply_add(alpha.real(), Sum::load(sums + j + p, distance));
      if (beta != 0.0) part[p].multiply_add(beta.real(), out[j + p]);
    }
    if (kComplex && alpha.imag() != 0.0) {
      part[0].multiply_add(-alpha.imag(), Sum::load(sums + j + 1, distance));
      part[1].multiply_add(alpha.imag(), Sum::load(sums + j, distance));
    }
    if (kComplex && beta.imag() != 0.0) {
      part[0].multiply_add(-beta.imag(), out[j + 1]);
      part[1].multiply_add(beta.imag(), out[j]);
    }
    for (std::int64_t p = 0; p < kParts; ++p) result[j + p] = part[p].value();
  }
}

}  // namespace trntensor::host::vector_detail
