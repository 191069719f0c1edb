// Runs a nest of loops tile by tile with kernels that take runs of elements.
#pragma once

#include <string>

#include "trntensor/host/nest_setup.hpp"

namespace trntensor::host {

/// A nest made ready for its layouts.
///
/// Accuracy: the error of a sum of k terms (of each part of a complex one) is below
/// (256 s / v + 36 + log2(k) / 2) eps sum |a||b|, with s the bytes of an element of the accumulator and v those of a
/// vector: 64 with avx3, 32 with avx2 and generic, 16 with sse4 and ssse3. So at most 100 + log2(k) / 2 for float32.
/// Every rounding that a term goes through costs eps / 2. In a leaf these are plan::leaf_roundings at most, the longest
/// being those along runs of 1024 terms in two chains of vectors, with a tree and the sums of 64 runs behind them:
/// 512 s / v + 72. Leaves are added in pairs: log2 k at most. Held by SumBounds in tests/host.
/// Compensated: below 2^-53 |result| + about (k 2^-53)^2 sum |a||b|; compensated twice as prepare_gemm.
/// Cost: every element is read once or as often as it does not fit the tiles; workspace of some MiB a thread at most.
/// Results do not depend on the number of threads.
class NestEngine {
 public:
  /// Throws as NestSetup does. `table` must outlive the engine.
  NestEngine(const NestProblem& problem, const VectorTable& table) : setup_(problem, table) {}

  /// As PreparedStep::run; `a` and `b` as in the problem.
  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const;

  /// "across 2048, tiles 8x1x1, k 64, 4 parts".
  [[nodiscard]] std::string describe() const;

 private:
  NestSetup setup_;
};

}  // namespace trntensor::host
