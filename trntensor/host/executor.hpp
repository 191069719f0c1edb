// The host CPU as an Executor: every step a StepProblem can describe, by the best of a table of routes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// What to force; tests run every route and kernel on the same problem with it.
struct HostOptions {
  std::string route = {};   ///< "unary", "small", "nest", "gemm"; empty: the first of the table that does not decline
  std::string kernel = {};  ///< "generic", "ssse3", ... as in TRNTENSOR_HOST_KERNEL; empty: as set for the process
};

/// Runs steps on the calling thread and oneTBB workers; element types and layouts without restriction.
///
/// Results are the same from run to run for one machine, kernel and thread count.
class HostExecutor final : public Executor {
 public:
  /// Throws InvalidArgument when an option names no route or no kernel that this CPU can run.
  explicit HostExecutor(HostOptions options = {});

  [[nodiscard]] std::string name() const override { return "host"; }

  /// Throws Unsupported when the accumulator is a type sums are not held in (8- and 16-bit floats), when
  /// compensation is asked for a type other than float64 and complex128, or when a forced route declines, with its
  /// reason; InvalidArgument when the extents of a label differ between operands.
  [[nodiscard]] std::unique_ptr<const PreparedStep> prepare(const StepProblem& problem) const override;

  /// Throws Unsupported when sums are not held in float32 or float64, or compensated twice; OutOfMemory when the
  /// smallest block is beyond the memory limit.
  [[nodiscard]] std::unique_ptr<const PreparedEpilogue> prepare_epilogue(const EpilogueProblem& problem) const override;

 private:
  HostOptions options_;
};

}  // namespace trntensor::host
