// Eigen, by the libraries that bench/ makes of it, one for each set of vectors.
#include <fmt/format.h>

#include <array>

#include "cli/bench/peer_kinds.hpp"
#include "cli/bench/shared_library.hpp"
#include "trntensor/support/cpu_features.hpp"

namespace trntensor::cli::bench {
namespace {

// The functions of bench/peer_eigen.cpp.
template <typename T>
using EigenGemm = void(const std::int64_t* extents, const int* transposed, const T* a, const T* b, T* c,
                       std::int64_t repetitions);

template <typename T>
std::function<void(const GemmCall&)> call_of(EigenGemm<T>* gemm, const GemmProblem& problem) {
  const std::array<std::int64_t, 4> extents = {problem.m, problem.n, problem.k, problem.batch};
  const std::array<int, 2> transposed = {problem.transposed_a ? 1 : 0, problem.transposed_b ? 1 : 0};
  return [=](const GemmCall& call) {
    gemm(extents.data(), transposed.data(), static_cast<const T*>(call.a), static_cast<const T*>(call.b),
         static_cast<T*>(call.c), call.repetitions);
  };
}

SharedLibrary library_for_this_cpu() {
  if (has_avx512()) return SharedLibrary({beside_program("libtrntensor_peer_eigen_v4.so")});
  if (has_avx2()) return SharedLibrary({beside_program("libtrntensor_peer_eigen_v3.so")});
  return SharedLibrary({beside_program("libtrntensor_peer_eigen.so")});
}

class EigenPeer final : public Peer {
 public:
  EigenPeer()
      : library_(library_for_this_cpu()),
        f64_(library_.find<EigenGemm<double>>("trntensor_eigen_f64")),
        f32_(library_.find<EigenGemm<float>>("trntensor_eigen_f32")),
        set_threads_(library_.find<void(int)>("trntensor_eigen_set_threads")),
        version_(library_.find<const int*()>("trntensor_eigen_version")),
        vectors_(library_.find<const char*()>("trntensor_eigen_vectors")) {}

  [[nodiscard]] bool complete() const {
    return f64_ != nullptr && f32_ != nullptr && set_threads_ != nullptr && version_ != nullptr && vectors_ != nullptr;
  }
  [[nodiscard]] std::string name() const override { return "eigen"; }
  [[nodiscard]] std::string version() const override {
    const int* const version = version_();
    return fmt::format("Eigen {}.{}.{}", version[0], version[1], version[2]);
  }
  [[nodiscard]] std::string kernels() const override {
    const std::string vectors = vectors_();
    return vectors.substr(0, vectors.find(','));
  }

  [[nodiscard]] Gemm prepare(const GemmProblem& problem, int threads) const override {
    set_threads_(threads);
    if (problem.dtype == DType::kFloat64) return {call_of(f64_, problem), kernels()};
    if (problem.dtype == DType::kFloat32) return {call_of(f32_, problem), kernels()};
    return {};
  }

 private:
  SharedLibrary library_;
  EigenGemm<double>* f64_;
  EigenGemm<float>* f32_;
  void (*set_threads_)(int);
  const int* (*version_)();
  const char* (*vectors_)();
};

}  // namespace

std::shared_ptr<const Peer> load_eigen() {
  auto peer = std::make_shared<const EigenPeer>();
  if (!peer->complete()) return nullptr;
  return peer;
}

}  // namespace trntensor::cli::bench
