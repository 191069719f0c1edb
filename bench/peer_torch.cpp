// libtorch's einsum and matrix products behind a C interface, so that `trntensor bench` can load them without being
// linked to it. cli/bench/peer_torch.cpp has the other side.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/InferenceMode.h>
#include <dlfcn.h>
#include <torch/csrc/api/include/torch/version.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#define TRNTENSOR_EXPORTED __attribute__((visibility("default")))

namespace {

/// A dense tensor that belongs to the caller.
at::Tensor wrap(const void* data, at::IntArrayRef sizes, int dtype) {
  constexpr at::ScalarType kTypes[] = {at::kDouble, at::kFloat, at::kBFloat16};
  return at::from_blob(const_cast<void*>(data), sizes, at::TensorOptions().dtype(kTypes[dtype]));
}

/// A function of the BLAS that torch was linked to, or null: its threads are not those of torch.
template <typename Function>
Function* of_blas(const char* name) {
  for (const char* library : {"libopenblas.so.0", "libblis.so.4", "libblas.so.3"}) {
    void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void* const function = handle == nullptr ? nullptr : dlsym(handle, name);
    if (function != nullptr) return reinterpret_cast<Function*>(function);
  }
  return nullptr;
}

struct Contraction {
  std::string equation;
  at::Tensor a;
  at::Tensor b;
  at::Tensor c;
  at::Tensor result;

  void run(std::int64_t calls) {
    const c10::InferenceMode without_gradients;
    for (std::int64_t call = 0; call < calls; ++call) result = at::einsum(equation, {a, b});
  }
};

}  // namespace

extern "C" {

/// `dtype`: 0 float64, 1 float32, 2 bfloat16; `extents`: m, n, k, batch. Leaves c alone when torch refuses.
TRNTENSOR_EXPORTED void trntensor_torch_gemm(const std::int64_t* extents, const int* transposed, int dtype,
                                             const void* a, const void* b, void* c, std::int64_t repetitions) {
  const std::int64_t m = extents[0];
  const std::int64_t n = extents[1];
  const std::int64_t k = extents[2];
  const std::int64_t batch = extents[3];
  try {
    const c10::InferenceMode without_gradients;
    at::Tensor left =
        transposed[0] != 0 ? wrap(a, {batch, k, m}, dtype).transpose(1, 2) : wrap(a, {batch, m, k}, dtype);
    at::Tensor right =
        transposed[1] != 0 ? wrap(b, {batch, n, k}, dtype).transpose(1, 2) : wrap(b, {batch, k, n}, dtype);
    at::Tensor out = wrap(c, {batch, m, n}, dtype);
    if (batch == 1) {
      left = left[0];
      right = right[0];
      out = out[0];
    }
    for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
      if (batch == 1) {
        at::mm_out(out, left, right);
      } else {
        at::bmm_out(out, left, right);
      }
    }
  } catch (const std::exception&) {
    return;
  }
}

/// Of two tensors into a third, each given by its data, rank and extents; null when torch refuses.
TRNTENSOR_EXPORTED void* trntensor_torch_prepare(const char* equation, int dtype, const void* const* data,
                                                 const std::int64_t* ranks, const std::int64_t* const* extents) {
  try {
    const auto tensor = [&](int which) {
      return wrap(data[which], {extents[which], static_cast<std::size_t>(ranks[which])}, dtype);
    };
    auto contraction = std::make_unique<Contraction>(Contraction{equation, tensor(0), tensor(1), tensor(2), {}});
    contraction->run(1);
    return contraction.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

/// The result stays torch's, its axes in the order torch leaves them in.
TRNTENSOR_EXPORTED void trntensor_torch_run(void* contraction, std::int64_t calls) {
  static_cast<Contraction*>(contraction)->run(calls);
}

/// Copies the result to where the caller wants it.
TRNTENSOR_EXPORTED void trntensor_torch_deliver(void* contraction) {
  auto* const of = static_cast<Contraction*>(contraction);
  const c10::InferenceMode without_gradients;
  of->c.copy_(of->result);
}

TRNTENSOR_EXPORTED void trntensor_torch_end(void* contraction) { delete static_cast<Contraction*>(contraction); }

TRNTENSOR_EXPORTED void trntensor_torch_set_threads(int threads) {
  at::set_num_threads(threads);
  if (auto* const openblas = of_blas<void(int)>("openblas_set_num_threads")) openblas(threads);
  if (auto* const blis = of_blas<void(std::int64_t)>("bli_thread_set_num_threads")) blis(threads);
}

TRNTENSOR_EXPORTED const char* trntensor_torch_version() { return TORCH_VERSION; }

/// "AVX2, OpenBLAS SkylakeX"
TRNTENSOR_EXPORTED const char* trntensor_torch_kernels() {
  static const std::string text = [] {
    const std::string config = at::show_config();
    const std::string key = "CPU capability usage: ";
    const std::size_t begin = config.find(key);
    std::string kernels = begin == std::string::npos ? "" : config.substr(begin + key.size());
    kernels.resize(std::min(kernels.size(), kernels.find('\n')));
    auto* const core = of_blas<char*()>("openblas_get_corename");
    return core == nullptr ? kernels : kernels.append(", OpenBLAS ").append(core());
  }();
  return text.c_str();
}
}
