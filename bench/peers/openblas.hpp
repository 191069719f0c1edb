// OpenBLAS as a peer: row-major C = A B.
#pragma once

#ifdef TRNTENSOR_BENCH_OPENBLAS

#include <cblas.h>

#include <cstdint>
#include <string>

namespace trntensor::bench::openblas {

inline void set_threads(int threads) { openblas_set_num_threads(threads); }

/// The kernels OpenBLAS chose for this CPU. Old versions do not know new CPUs and choose slow ones; the environment
/// variable OPENBLAS_CORETYPE corrects that.
inline std::string core_name() { return openblas_get_corename(); }

inline void multiply(std::int64_t n, const float* a, const float* b, float* c) {
  const auto size = static_cast<blasint>(n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a, size, b, size, 0, c, size);
}
inline void multiply(std::int64_t n, const double* a, const double* b, double* c) {
  const auto size = static_cast<blasint>(n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a, size, b, size, 0, c, size);
}

}  // namespace trntensor::bench::openblas

#endif
