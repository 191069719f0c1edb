// oneDNN (the library dnnl, version 2) by its C interface: its matrix multiplication primitive.
#include <fmt/format.h>

#include <array>

#include "cli/bench/peer_kinds.hpp"
#include "cli/bench/shared_library.hpp"

namespace trntensor::cli::bench {
namespace {

// What is used of dnnl.h, version 2.
using Handle = void*;
constexpr int kSuccess = 0;
constexpr int kCpu = 1;
constexpr unsigned kInOrder = 1;
constexpr int kBFloat16 = 2;
constexpr int kFloat32 = 3;
constexpr int kImplementation = 8;
constexpr int kSource = 1;
constexpr int kWeights = 33;
constexpr int kDestination = 17;
constexpr int kMaxDims = 12;

/// Structures of the library that only it looks into (696 and 2800 bytes in 2.6), with room to spare.
struct alignas(64) MemoryDesc {
  std::byte opaque[2048];
};
struct alignas(64) MatmulDesc {
  std::byte opaque[8192];
};
struct Version {
  int major;
  int minor;
  int patch;
};
struct Argument {
  int which;
  Handle memory;
};
using Dims = std::array<std::int64_t, kMaxDims>;

struct Functions {
  explicit Functions(const SharedLibrary& library)
      : version(library.find<const Version*()>("dnnl_version")),
        isa(library.find<int()>("dnnl_get_effective_cpu_isa")),
        engine_create(library.find<int(Handle*, int, std::size_t)>("dnnl_engine_create")),
        stream_create(library.find<int(Handle*, Handle, unsigned)>("dnnl_stream_create")),
        engine_destroy(library.find<int(Handle)>("dnnl_engine_destroy")),
        stream_destroy(library.find<int(Handle)>("dnnl_stream_destroy")),
        stream_wait(library.find<int(Handle)>("dnnl_stream_wait")),
        memory_desc(library.find<int(MemoryDesc*, int, const std::int64_t*, int, const std::int64_t*)>(
            "dnnl_memory_desc_init_by_strides")),
        memory_create(library.find<int(Handle*, const MemoryDesc*, Handle, void*)>("dnnl_memory_create")),
        memory_destroy(library.find<int(Handle)>("dnnl_memory_destroy")),
        set_data(library.find<int(Handle, void*)>("dnnl_memory_set_data_handle")),
        matmul_desc(
            library.find<int(MatmulDesc*, const MemoryDesc*, const MemoryDesc*, const MemoryDesc*, const MemoryDesc*)>(
                "dnnl_matmul_desc_init")),
        primitive_desc(library.find<int(Handle*, const void*, Handle, Handle, Handle)>("dnnl_primitive_desc_create")),
        query(library.find<int(Handle, int, int, void*)>("dnnl_primitive_desc_query")),
        primitive_desc_destroy(library.find<int(Handle)>("dnnl_primitive_desc_destroy")),
        primitive_create(library.find<int(Handle*, Handle)>("dnnl_primitive_create")),
        primitive_destroy(library.find<int(Handle)>("dnnl_primitive_destroy")),
        execute(library.find<int(Handle, Handle, int, const Argument*)>("dnnl_primitive_execute")) {}

  [[nodiscard]] bool complete() const {
    return version && isa && engine_create && stream_create && engine_destroy && stream_destroy && stream_wait &&
           memory_desc && memory_create && memory_destroy && set_data && matmul_desc && primitive_desc && query &&
           primitive_desc_destroy && primitive_create && primitive_destroy && execute;
  }

  const Version* (*version)();
  int (*isa)();
  int (*engine_create)(Handle*, int, std::size_t);
  int (*stream_create)(Handle*, Handle, unsigned);
  int (*engine_destroy)(Handle);
  int (*stream_destroy)(Handle);
  int (*stream_wait)(Handle);
  int (*memory_desc)(MemoryDesc*, int, const std::int64_t*, int, const std::int64_t*);
  int (*memory_create)(Handle*, const MemoryDesc*, Handle, void*);
  int (*memory_destroy)(Handle);
  int (*set_data)(Handle, void*);
  int (*matmul_desc)(MatmulDesc*, const MemoryDesc*, const MemoryDesc*, const MemoryDesc*, const MemoryDesc*);
  int (*primitive_desc)(Handle*, const void*, Handle, Handle, Handle);
  int (*query)(Handle, int, int, void*);
  int (*primitive_desc_destroy)(Handle);
  int (*primitive_create)(Handle*, Handle);
  int (*primitive_destroy)(Handle);
  int (*execute)(Handle, Handle, int, const Argument*);
};

/// One primitive with its three memories, which run on the data of each call.
class Matmul {
 public:
  Matmul(const Functions& dnnl, Handle engine, Handle stream, const GemmProblem& problem)
      : dnnl_(dnnl), stream_(stream) {
    const int type = problem.dtype == DType::kBFloat16 ? kBFloat16 : kFloat32;
    const std::array<MemoryDesc, 3> descs = {describe(type, problem.batch, problem.m, problem.k, problem.transposed_a),
                                             describe(type, problem.batch, problem.k, problem.n, problem.transposed_b),
                                             describe(type, problem.batch, problem.m, problem.n, false)};
    MatmulDesc matmul;
    Handle desc = nullptr;
    if (dnnl_.matmul_desc(&matmul, &descs[0], &descs[1], nullptr, &descs[2]) != kSuccess) return;
    if (dnnl_.primitive_desc(&desc, &matmul, nullptr, engine, nullptr) != kSuccess) return;
    const char* name = nullptr;
    if (dnnl_.query(desc, kImplementation, 0, static_cast<void*>(&name)) == kSuccess && name != nullptr) kernel_ = name;
    const bool created = dnnl_.primitive_create(&primitive_, desc) == kSuccess;
    dnnl_.primitive_desc_destroy(desc);
    if (!created) return;
    complete_ = true;
    for (std::size_t i = 0; i < descs.size(); ++i)
      complete_ = dnnl_.memory_create(&memories_[i], &descs[i], engine, nullptr) == kSuccess && complete_;
  }
  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;
  ~Matmul() {
    for (Handle memory : memories_) {
      if (memory != nullptr) dnnl_.memory_destroy(memory);
    }
    if (primitive_ != nullptr) dnnl_.primitive_destroy(primitive_);
  }

  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const std::string& kernel() const { return kernel_; }

  void run(const GemmCall& call) const {
    dnnl_.set_data(memories_[0], const_cast<void*>(call.a));
    dnnl_.set_data(memories_[1], const_cast<void*>(call.b));
    dnnl_.set_data(memories_[2], call.c);
    const std::array<Argument, 3> arguments = {
        {{kSource, memories_[0]}, {kWeights, memories_[1]}, {kDestination, memories_[2]}}};
    for (std::int64_t repetition = 0; repetition < call.repetitions; ++repetition)
      dnnl_.execute(primitive_, stream_, static_cast<int>(arguments.size()), arguments.data());
    dnnl_.stream_wait(stream_);
  }

 private:
  [[nodiscard]] MemoryDesc describe(int type, std::int64_t batch, std::int64_t rows, std::int64_t columns,
                                    bool transposed) const {
    MemoryDesc desc;
    const int first = batch == 1 ? 1 : 0;  // two axes without a batch
    const Dims dims = {batch, rows, columns};
    const Dims strides = {rows * columns, transposed ? 1 : columns, transposed ? rows : 1};
    dnnl_.memory_desc(&desc, 3 - first, dims.data() + first, type, strides.data() + first);
    return desc;
  }

  const Functions& dnnl_;
  Handle stream_;
  Handle primitive_ = nullptr;
  std::array<Handle, 3> memories_ = {};
  std::string kernel_;
  bool complete_ = false;
};

class OneDnn final : public Peer {
 public:
  OneDnn()
      : library_({"libdnnl.so.2"}),
        dnnl_(library_),
        openmp_({"libgomp.so.1"}),
        set_threads_(openmp_.find<void(int)>("omp_set_num_threads")) {
    ready_ = dnnl_.complete() && set_threads_ != nullptr && dnnl_.engine_create(&engine_, kCpu, 0) == kSuccess &&
             dnnl_.stream_create(&stream_, engine_, kInOrder) == kSuccess;
  }

  OneDnn(const OneDnn&) = delete;
  OneDnn& operator=(const OneDnn&) = delete;
  ~OneDnn() override {
    if (stream_ != nullptr) dnnl_.stream_destroy(stream_);
    if (engine_ != nullptr) dnnl_.engine_destroy(engine_);
  }

  [[nodiscard]] bool ready() const { return ready_; }
  [[nodiscard]] std::string name() const override { return "onednn"; }
  [[nodiscard]] std::string version() const override {
    const Version& version = *dnnl_.version();
    return fmt::format("oneDNN {}.{}.{}", version.major, version.minor, version.patch);
  }
  [[nodiscard]] std::string kernels() const override {
    switch (dnnl_.isa()) {
      case 0x7:
        return "avx2";
      case 0x27:
        return "avx512_core";
      case 0x67:
        return "avx512_core_vnni";
      case 0xe7:
        return "avx512_core_bf16";
      case 0x3e7:
        return "avx512_core_amx";
      default:
        return fmt::format("instruction set {:#x}", dnnl_.isa());
    }
  }

  [[nodiscard]] Gemm prepare(const GemmProblem& problem, int threads) const override {
    if (problem.dtype != DType::kFloat32 && problem.dtype != DType::kBFloat16) return {};
    set_threads_(threads);
    const auto matmul = std::make_shared<const Matmul>(dnnl_, engine_, stream_, problem);
    if (!matmul->complete()) return {};
    return {[matmul](const GemmCall& call) { matmul->run(call); }, matmul->kernel()};
  }

 private:
  SharedLibrary library_;
  Functions dnnl_;
  SharedLibrary openmp_;  // after dnnl: the one it uses
  void (*set_threads_)(int);
  Handle engine_ = nullptr;
  Handle stream_ = nullptr;
  bool ready_ = false;
};

}  // namespace

std::shared_ptr<const Peer> load_onednn() {
  auto peer = std::make_shared<const OneDnn>();
  if (!peer->ready()) return nullptr;
  return peer;
}

}  // namespace trntensor::cli::bench
