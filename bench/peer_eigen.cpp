// Eigen's matrix product behind a C interface, so that `trntensor bench` can load it: Eigen is headers only, and its
// vectors are those of the flags it is compiled with. cli/bench/peer_eigen.cpp has the other side.
#include <Eigen/Core>
#include <cstdint>

namespace {

using Index = Eigen::Index;
template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using In = Eigen::Map<const Matrix<T>>;
template <typename T>
using Out = Eigen::Map<Matrix<T>>;

/// One product; a transposed operand lies in memory as its transpose.
template <typename T>
void multiply(Index m, Index n, Index k, bool transposed_a, bool transposed_b, const T* a, const T* b, T* c) {
  const In<T> left(a, transposed_a ? k : m, transposed_a ? m : k);
  const In<T> right(b, transposed_b ? n : k, transposed_b ? k : n);
  Out<T> result(c, m, n);
  if (transposed_a && transposed_b) {
    result.noalias() = left.transpose() * right.transpose();
  } else if (transposed_a) {
    result.noalias() = left.transpose() * right;
  } else if (transposed_b) {
    result.noalias() = left * right.transpose();
  } else {
    result.noalias() = left * right;
  }
}

template <typename T>
void multiply_all(const std::int64_t* extents, const int* transposed, const T* a, const T* b, T* c,
                  std::int64_t repetitions) {
  const std::int64_t m = extents[0];
  const std::int64_t n = extents[1];
  const std::int64_t k = extents[2];
  for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
    for (std::int64_t matrix = 0; matrix < extents[3]; ++matrix) {
      multiply(m, n, k, transposed[0] != 0, transposed[1] != 0, a + matrix * m * k, b + matrix * k * n,
               c + matrix * m * n);
    }
  }
}

}  // namespace

extern "C" {

/// `extents` are m, n, k and the batch; `transposed` is of a and b.
__attribute__((visibility("default"))) void trntensor_eigen_f64(const std::int64_t* extents, const int* transposed,
                                                                const double* a, const double* b, double* c,
                                                                std::int64_t repetitions) {
  multiply_all(extents, transposed, a, b, c, repetitions);
}

__attribute__((visibility("default"))) void trntensor_eigen_f32(const std::int64_t* extents, const int* transposed,
                                                                const float* a, const float* b, float* c,
                                                                std::int64_t repetitions) {
  multiply_all(extents, transposed, a, b, c, repetitions);
}

__attribute__((visibility("default"))) void trntensor_eigen_set_threads(int threads) { Eigen::setNbThreads(threads); }

__attribute__((visibility("default"))) const int* trntensor_eigen_version() {
  static const int version[] = {EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION};
  return version;
}

/// "AVX512, FMA, AVX2, ..."
__attribute__((visibility("default"))) const char* trntensor_eigen_vectors() {
  return Eigen::SimdInstructionSetsInUse();
}
}
