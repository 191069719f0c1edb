// Other libraries that multiply matrices, to be measured beside ours. They are loaded while the program runs and are
// no part of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/contracted.hpp"
#include "cli/bench/measure.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor::cli::bench {

/// C[m, n] = A[m, k] B[k, n] for each of a batch of matrices that lie one behind the other. Rows are contiguous; a
/// transposed operand lies in memory as its transpose.
struct GemmProblem {
  DType dtype = DType::kFloat64;  ///< of A, B and C
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool transposed_a = false;
  bool transposed_b = false;
  std::int64_t batch = 1;
};

/// The operands and how often to do it.
struct GemmCall {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  std::int64_t repetitions = 1;
};

/// A product that is ready to run; `run` is empty when the library does not offer it.
struct Gemm {
  std::function<void(const GemmCall&)> run = {};
  std::string kernel = {};  ///< what it runs, as the library calls it
  explicit operator bool() const noexcept { return static_cast<bool>(run); }
};

class Peer {
 public:
  virtual ~Peer() = default;

  /// "openblas", "blis", "onednn", "libxsmm", "eigen", "torch".
  [[nodiscard]] virtual std::string name() const = 0;
  /// The library and its version.
  [[nodiscard]] virtual std::string version() const = 0;
  /// The kernels that run on this CPU, as the library calls them.
  [[nodiscard]] virtual std::string kernels() const = 0;

  /// Everything that can be done ahead; the result runs with `threads` threads until the next one is prepared.
  [[nodiscard]] virtual Gemm prepare(const GemmProblem& problem, int threads) const = 0;

  /// The same for a whole contraction by the library's own means, on these tensors; nothing where it has none.
  [[nodiscard]] virtual std::optional<Contestant> prepare_contraction(const Contracted& /*contracted*/,
                                                                      const ContractionData& /*data*/,
                                                                      int /*threads*/) const {
    return std::nullopt;
  }
};

/// A peer that was looked for.
struct PeerEntry {
  std::string name;
  std::shared_ptr<const Peer> peer;  ///< null when it is missing or was not asked for
  std::string note;  ///< what was done to run its best kernels, or why it is missing and where it is had
};

/// Sets what makes each library choose its best kernels for this CPU, then loads those of `names` ("all": every one,
/// "none": none) that are on the machine. The variables of the environment that choose kernels are replaced unless
/// `keep_environment`. To be called once, before threads that read the environment exist.
std::vector<PeerEntry> load_peers(std::span<const std::string> names, bool keep_environment);

/// The names that `load_peers` knows.
std::vector<std::string> peer_names();

}  // namespace trntensor::cli::bench
