// libtorch, by the library that bench/ makes: its matrix products, and its einsum, which contracts tensors itself.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "cli/bench/contracted.hpp"
#include "cli/bench/peer_kinds.hpp"
#include "cli/bench/shared_library.hpp"

namespace trntensor::cli::bench {
namespace {

/// As bench/peer_torch.cpp numbers them.
std::optional<int> type_number(DType dtype) {
  if (dtype == DType::kFloat64) return 0;
  if (dtype == DType::kFloat32) return 1;
  if (dtype == DType::kBFloat16) return 2;
  return std::nullopt;
}

/// The functions of bench/peer_torch.cpp.
struct Functions {
  explicit Functions(const SharedLibrary& library)
      : gemm(library.find<void(const std::int64_t*, const int*, int, const void*, const void*, void*, std::int64_t)>(
            "trntensor_torch_gemm")),
        prepare(
            library.find<void*(const char*, int, const void* const*, const std::int64_t*, const std::int64_t* const*)>(
                "trntensor_torch_prepare")),
        run(library.find<void(void*, std::int64_t)>("trntensor_torch_run")),
        deliver(library.find<void(void*)>("trntensor_torch_deliver")),
        end(library.find<void(void*)>("trntensor_torch_end")),
        set_threads(library.find<void(int)>("trntensor_torch_set_threads")),
        version(library.find<const char*()>("trntensor_torch_version")),
        kernels(library.find<const char*()>("trntensor_torch_kernels")) {}

  [[nodiscard]] bool complete() const {
    return gemm && prepare && run && deliver && end && set_threads && version && kernels;
  }

  void (*gemm)(const std::int64_t*, const int*, int, const void*, const void*, void*, std::int64_t);
  void* (*prepare)(const char*, int, const void* const*, const std::int64_t*, const std::int64_t* const*);
  void (*run)(void*, std::int64_t);
  void (*deliver)(void*);
  void (*end)(void*);
  void (*set_threads)(int);
  const char* (*version)();
  const char* (*kernels)();
};

class Torch final : public Peer {
 public:
  Torch() : library_({beside_program("libtrntensor_peer_torch.so")}), torch_(library_) {}

  [[nodiscard]] bool complete() const { return torch_.complete(); }
  [[nodiscard]] std::string name() const override { return "torch"; }
  [[nodiscard]] std::string version() const override { return fmt::format("libtorch {}", torch_.version()); }
  [[nodiscard]] std::string kernels() const override { return torch_.kernels(); }

  [[nodiscard]] Gemm prepare(const GemmProblem& problem, int threads) const override {
    const auto type = type_number(problem.dtype);
    if (!type) return {};
    torch_.set_threads(threads);
    const std::array<std::int64_t, 4> extents = {problem.m, problem.n, problem.k, problem.batch};
    const std::array<int, 2> transposed = {problem.transposed_a ? 1 : 0, problem.transposed_b ? 1 : 0};
    return {[=, gemm = torch_.gemm](const GemmCall& call) {
              gemm(extents.data(), transposed.data(), *type, call.a, call.b, call.c, call.repetitions);
            },
            fmt::format("{}, {}", problem.batch == 1 ? "mm" : "bmm", kernels())};
  }

  [[nodiscard]] std::optional<Contestant> prepare_contraction(const Contracted& contracted, const ContractionData& data,
                                                              int threads) const override {
    const auto type = type_number(contracted.dtype);
    if (!type) return std::nullopt;
    torch_.set_threads(threads);
    const std::array<std::vector<std::int64_t>, 3> extents = {extents_of(contracted, contracted.a),
                                                              extents_of(contracted, contracted.b),
                                                              extents_of(contracted, contracted.c)};
    std::array<std::int64_t, 3> ranks{};
    std::array<const std::int64_t*, 3> first{};
    for (std::size_t i = 0; i < extents.size(); ++i) {
      ranks[i] = static_cast<std::int64_t>(extents[i].size());
      first[i] = extents[i].data();
    }
    const std::array<const void*, 3> tensors = {data.a, data.b, data.c};
    const std::shared_ptr<void> prepared(
        torch_.prepare(contracted.subscripts().c_str(), *type, tensors.data(), ranks.data(), first.data()),
        [end = torch_.end](void* contraction) {
          if (contraction != nullptr) end(contraction);
        });
    if (prepared == nullptr) return std::nullopt;
    return Contestant{name(), fmt::format("einsum, {}", kernels()),
                      [prepared, run = torch_.run](std::int64_t calls) { run(prepared.get(), calls); },
                      [prepared, deliver = torch_.deliver] { deliver(prepared.get()); }};
  }

 private:
  static std::vector<std::int64_t> extents_of(const Contracted& contracted, const std::string& labels) {
    std::vector<std::int64_t> extents;
    for (const char label : labels) extents.push_back(contracted.extents.at(label));
    return extents;
  }

  SharedLibrary library_;
  Functions torch_;
};

}  // namespace

std::shared_ptr<const Peer> load_torch() {
  auto peer = std::make_shared<const Torch>();
  if (!peer->complete()) return nullptr;
  return peer;
}

}  // namespace trntensor::cli::bench
