// Runs a nest of loops tile by tile with kernels that take runs of elements.
#pragma once

#include <string>

#include "trntensor/host/nest_setup.hpp"

namespace trntensor::host {

/// A nest made ready for its layouts.
///
/// Accuracy: at most 64 terms are added one after another (along runs 1024 over the lanes of at least two vectors, so
/// up to 256 where a vector holds two) and all else in pairs, so the error of a sum of k terms is below
/// (256 + log2 k) eps sum |a||b|, also for float32.
/// Compensated: below 2^-53 |result| + about (k 2^-53)^2 sum |a||b|.
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
