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

/// Row-major C = A B of m x k and k x n; `b_transposed`: B is stored as n x k.
struct Product {
  std::int64_t m, n, k;
  bool b_transposed;
};

inline void multiply(const Product& product, const float* a, const float* b, float* c) {
  const auto m = static_cast<blasint>(product.m);
  const auto n = static_cast<blasint>(product.n);
  const auto k = static_cast<blasint>(product.k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, product.b_transposed ? CblasTrans : CblasNoTrans, m, n, k, 1, a, k, b,
              product.b_transposed ? k : n, 0, c, n);
}
inline void multiply(const Product& product, const double* a, const double* b, double* c) {
  const auto m = static_cast<blasint>(product.m);
  const auto n = static_cast<blasint>(product.n);
  const auto k = static_cast<blasint>(product.k);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, product.b_transposed ? CblasTrans : CblasNoTrans, m, n, k, 1, a, k, b,
              product.b_transposed ? k : n, 0, c, n);
}

}  // namespace trntensor::bench::openblas

#endif
