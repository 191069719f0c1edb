// The interface every place that can run a step implements: host, NeuronCore, MPI.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "trntensor/plan/operand_layout.hpp"

namespace trntensor {

/// Numbers of twice the digits: distances in elements between the two tensors whose sum a tensor is, the rounded
/// numbers and what rounding took from them; 0 where it is one.
struct StepParts {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;  ///< its number of elements: the result is packed, of the accumulator's type, beta 0
};

/// out = alpha * sum(a * b) + beta * out, over the labels that are not in out. Extents of a label agree everywhere.
/// A label in one input only and not in out is summed there first. An out label in no input repeats the value.
struct StepProblem {
  OperandLayout a;
  std::optional<OperandLayout> b;  ///< absent: out = alpha * sum(a) + beta * out
  OperandLayout out;
  DType accumulator = DType::kFloat64;  ///< type of products and sums; bool means OR of AND, integers wrap
  int compensated = 0;   ///< float64 and complex128: 1: sums carry a correction (twice the digits); 2: and one of that
  StepParts parts = {};  ///< only where sums are compensated twice
  bool any_threads = false;  ///< results must not depend on the number of threads
  bool stochastic = false;   ///< round the result stochastically, by RunContext::seed; of floating and complex types
  bool keeps_subnormals = false;  ///< an error is promised: no element or sum may be taken as zero for being subnormal
};

/// alpha and beta. For integers they are whole numbers, for bool 0 or 1 (checked at the public door).
struct Scale {
  std::complex<double> alpha = 1.0;  ///< executors need not treat 0 apart
  std::complex<double> beta = 0.0;   ///< 0: out is not read
};

struct RunContext {
  int num_threads = 1;
  std::stop_token stop = {};  ///< checked between blocks; run throws Cancelled when it is triggered
  std::uint64_t seed = 0;     ///< of stochastic rounding
};

/// A step made ready for its layouts: all decisions are taken, `run` only computes. Immutable and safe to run from
/// several threads at once on different data.
class PreparedStep {
 public:
  virtual ~PreparedStep() = default;

  /// Pointers are to the element with all indices 0 and may be unaligned. `b` is null for a step of one operand.
  /// Inputs and output must not overlap.
  virtual void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const = 0;

  /// For people: route and kernel, such as "gemm gemm_f64_avx3_8x24, m=..., n=..., k=...".
  [[nodiscard]] virtual std::string describe() const = 0;
};

struct EpilogueProblem;
class PreparedEpilogue;

class Executor {
 public:
  virtual ~Executor() = default;

  /// "host", ...
  [[nodiscard]] virtual std::string name() const = 0;

  /// Takes all decisions for a step. Throws Unsupported with the reason when it cannot run it.
  [[nodiscard]] virtual std::unique_ptr<const PreparedStep> prepare(const StepProblem& problem) const = 0;

  /// The same for a step whose result goes into formulas (epilogue_step.hpp). Unless it is overridden: Unsupported.
  [[nodiscard]] virtual std::unique_ptr<const PreparedEpilogue> prepare_epilogue(const EpilogueProblem& problem) const;
};

}  // namespace trntensor
