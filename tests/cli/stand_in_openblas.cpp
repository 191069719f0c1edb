// Stands in for libopenblas.so.0: a plain loop, and two faults that can be asked for by STAND_IN_FAULT: "value" makes
// the last element of every product too large by one, "rounding" changes it where it is not whole.
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace {

constexpr int kTransposed = 112;

bool has_fault(std::string_view name) {
  const char* fault = std::getenv("STAND_IN_FAULT");
  return fault != nullptr && name == fault;
}

template <typename T>
struct Operand {
  const T* data;
  int row;
  int column;
  Operand(const T* first, int transposed, int step)
      : data(first), row(transposed == kTransposed ? 1 : step), column(transposed == kTransposed ? step : 1) {}
  T operator()(int i, int j) const { return data[i * row + j * column]; }
};

template <typename T>
void multiply(int m, int n, int k, const Operand<T>& a, const Operand<T>& b, T* c, int ldc) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int p = 0; p < k; ++p) sum += a(i, p) * b(p, j);
      c[i * ldc + j] = sum;
    }
  }
  T& last = c[(m - 1) * ldc + n - 1];
  if (has_fault("value")) last += 1;
  if (has_fault("rounding") && last != std::floor(last)) last += T{0.25};
}

}  // namespace

extern "C" {

void cblas_dgemm(int /*order*/, int transpose_a, int transpose_b, int m, int n, int k, double /*alpha*/,
                 const double* a, int lda, const double* b, int ldb, double /*beta*/, double* c, int ldc) {
  multiply<double>(m, n, k, {a, transpose_a, lda}, {b, transpose_b, ldb}, c, ldc);
}

void cblas_sgemm(int /*order*/, int transpose_a, int transpose_b, int m, int n, int k, float /*alpha*/, const float* a,
                 int lda, const float* b, int ldb, float /*beta*/, float* c, int ldc) {
  multiply<float>(m, n, k, {a, transpose_a, lda}, {b, transpose_b, ldb}, c, ldc);
}

void openblas_set_num_threads(int /*threads*/) {}

char* openblas_get_config() {
  static char text[] = "OpenBLAS 9.9.9 STAND_IN";
  return text;
}

/// The kernels that the environment asks for.
char* openblas_get_corename() {
  static char detected[] = "detected";
  char* core = std::getenv("OPENBLAS_CORETYPE");
  return core == nullptr ? detected : core;
}
}
