// OpenBLAS and BLIS, both through the interface of CBLAS.
#include <fmt/format.h>

#include "cli/bench/peer_kinds.hpp"
#include "cli/bench/shared_library.hpp"

namespace trntensor::cli::bench {
namespace {

// cblas.h of both libraries with 32-bit integers, which is what Debian's plain packages have.
constexpr int kRowMajor = 101;
constexpr int kPlain = 111;
constexpr int kTransposed = 112;

template <typename T>
using CblasGemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha, const T* a, int lda,
                       const T* b, int ldb, T beta, T* c, int ldc);

template <typename T>
std::function<void(const GemmCall&)> call_of(CblasGemm<T>* gemm, const GemmProblem& problem) {
  const auto m = static_cast<int>(problem.m);
  const auto n = static_cast<int>(problem.n);
  const auto k = static_cast<int>(problem.k);
  const int transpose_a = problem.transposed_a ? kTransposed : kPlain;
  const int transpose_b = problem.transposed_b ? kTransposed : kPlain;
  const int lda = problem.transposed_a ? m : k;
  const int ldb = problem.transposed_b ? k : n;
  return [=, batch = problem.batch](const GemmCall& call) {
    for (std::int64_t repetition = 0; repetition < call.repetitions; ++repetition) {
      const T* a = static_cast<const T*>(call.a);
      const T* b = static_cast<const T*>(call.b);
      T* c = static_cast<T*>(call.c);
      for (std::int64_t matrix = 0; matrix < batch; ++matrix) {
        gemm(kRowMajor, transpose_a, transpose_b, m, n, k, T{1}, a, lda, b, ldb, T{0}, c, n);
        a += std::int64_t{m} * k;
        b += std::int64_t{k} * n;
        c += std::int64_t{m} * n;
      }
    }
  };
}

class CblasPeer : public Peer {
 public:
  explicit CblasPeer(SharedLibrary library)
      : library_(library),
        dgemm_(library.find<CblasGemm<double>>("cblas_dgemm")),
        sgemm_(library.find<CblasGemm<float>>("cblas_sgemm")) {}

  [[nodiscard]] virtual bool complete() const { return dgemm_ != nullptr && sgemm_ != nullptr; }

  [[nodiscard]] Gemm prepare(const GemmProblem& problem, int threads) const override {
    set_threads(threads);
    if (problem.dtype == DType::kFloat64) return {call_of(dgemm_, problem), kernels()};
    if (problem.dtype == DType::kFloat32) return {call_of(sgemm_, problem), kernels()};
    return {};
  }

 protected:
  virtual void set_threads(int threads) const = 0;
  SharedLibrary library_;

 private:
  CblasGemm<double>* dgemm_;
  CblasGemm<float>* sgemm_;
};

class OpenBlas final : public CblasPeer {
 public:
  OpenBlas()
      : CblasPeer(SharedLibrary({"libopenblas.so.0"})),
        set_threads_(library_.find<void(int)>("openblas_set_num_threads")),
        config_(library_.find<char*()>("openblas_get_config")),
        core_(library_.find<char*()>("openblas_get_corename")) {}

  [[nodiscard]] bool complete() const override {
    return CblasPeer::complete() && set_threads_ != nullptr && config_ != nullptr && core_ != nullptr;
  }
  [[nodiscard]] std::string name() const override { return "openblas"; }
  [[nodiscard]] std::string version() const override {
    const std::string config = config_();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
    return config.substr(0, config.find(' ', config.find(' ') + 1));
  }
  [[nodiscard]] std::string kernels() const override { return core_(); }

 private:
  void set_threads(int threads) const override { set_threads_(threads); }

  void (*set_threads_)(int);
  char* (*config_)();
  char* (*core_)();
};

class Blis final : public CblasPeer {
 public:
  Blis()
      : CblasPeer(SharedLibrary({"libblis.so.4"})),
        set_threads_(library_.find<void(std::int64_t)>("bli_thread_set_num_threads")),
        version_(library_.find<char*()>("bli_info_get_version_str")),
        architecture_(library_.find<int()>("bli_arch_query_id")),
        architecture_name_(library_.find<char*(int)>("bli_arch_string")) {
    // Asked before its first product, it would end the program.
    if (auto* const initialise = library_.find<void()>("bli_init")) initialise();
  }

  [[nodiscard]] bool complete() const override {
    return CblasPeer::complete() && set_threads_ != nullptr && version_ != nullptr && architecture_ != nullptr &&
           architecture_name_ != nullptr;
  }
  [[nodiscard]] std::string name() const override { return "blis"; }
  [[nodiscard]] std::string version() const override { return fmt::format("BLIS {}", version_()); }
  [[nodiscard]] std::string kernels() const override { return architecture_name_(architecture_()); }

 private:
  void set_threads(int threads) const override { set_threads_(threads); }

  void (*set_threads_)(std::int64_t);
  char* (*version_)();
  int (*architecture_)();
  char* (*architecture_name_)(int);
};

template <typename Kind>
std::shared_ptr<const Peer> load() {
  auto peer = std::make_shared<const Kind>();
  if (!peer->complete()) return nullptr;
  return peer;
}

}  // namespace

std::shared_ptr<const Peer> load_openblas() { return load<OpenBlas>(); }
std::shared_ptr<const Peer> load_blis() { return load<Blis>(); }

}  // namespace trntensor::cli::bench
