// libxsmm: kernels made for one small product.
#include <fmt/format.h>

#include "cli/bench/peer_kinds.hpp"
#include "cli/bench/shared_library.hpp"

namespace trntensor::cli::bench {
namespace {

// What is used of libxsmm.h, version 1.17, with 32-bit integers.
template <typename T>
using Kernel = void(const T* a, const T* b, T* c);
template <typename T>
using Dispatch = Kernel<T>*(int m, int n, int k, const int* lda, const int* ldb, const int* ldc, const T* alpha,
                            const T* beta, const int* flags, const int* prefetch);

/// Beyond this there is no blocking in it, and other libraries are the ones to beat.
constexpr std::int64_t kLargest = 64 * 64 * 64;

template <typename T>
std::function<void(const GemmCall&)> call_of(Dispatch<T>* dispatch, const GemmProblem& problem) {
  const auto m = static_cast<int>(problem.m);
  const auto n = static_cast<int>(problem.n);
  const auto k = static_cast<int>(problem.k);
  const T alpha = 1;
  const T beta = 0;
  // Column-major: the transpose of the result is the product of the transposes, the other way round.
  Kernel<T>* const kernel = dispatch(n, m, k, &n, &k, &n, &alpha, &beta, nullptr, nullptr);
  if (kernel == nullptr) return {};
  return [=, batch = problem.batch](const GemmCall& call) {
    for (std::int64_t repetition = 0; repetition < call.repetitions; ++repetition) {
      const T* a = static_cast<const T*>(call.a);
      const T* b = static_cast<const T*>(call.b);
      T* c = static_cast<T*>(call.c);
      for (std::int64_t matrix = 0; matrix < batch; ++matrix) {
        kernel(b, a, c);
        a += std::int64_t{m} * k;
        b += std::int64_t{k} * n;
        c += std::int64_t{m} * n;
      }
    }
  };
}

class Libxsmm final : public Peer {
 public:
  Libxsmm()
      : library_({"libxsmm.so.1", beside_program("libxsmm.so.1")}),
        initialise_(library_.find<void()>("libxsmm_init")),
        target_(library_.find<const char*()>("libxsmm_get_target_arch")),
        dispatch64_(library_.find<Dispatch<double>>("libxsmm_dmmdispatch")),
        dispatch32_(library_.find<Dispatch<float>>("libxsmm_smmdispatch")) {
    if (complete()) initialise_();
  }

  [[nodiscard]] bool complete() const {
    return initialise_ != nullptr && target_ != nullptr && dispatch64_ != nullptr && dispatch32_ != nullptr;
  }
  [[nodiscard]] std::string name() const override { return "libxsmm"; }
  [[nodiscard]] std::string version() const override { return "libxsmm 1.x"; }
  [[nodiscard]] std::string kernels() const override { return target_(); }

  [[nodiscard]] Gemm prepare(const GemmProblem& problem, int /*threads*/) const override {
    const bool plain = !problem.transposed_a && !problem.transposed_b;
    if (!plain || problem.m * problem.n * problem.k > kLargest) return {};
    if (problem.dtype == DType::kFloat64) return {call_of(dispatch64_, problem), kernels()};
    if (problem.dtype == DType::kFloat32) return {call_of(dispatch32_, problem), kernels()};
    return {};
  }

 private:
  SharedLibrary library_;
  void (*initialise_)();
  const char* (*target_)();
  Dispatch<double>* dispatch64_;
  Dispatch<float>* dispatch32_;
};

}  // namespace

std::shared_ptr<const Peer> load_libxsmm() {
  auto peer = std::make_shared<const Libxsmm>();
  if (!peer->complete()) return nullptr;
  return peer;
}

}  // namespace trntensor::cli::bench
