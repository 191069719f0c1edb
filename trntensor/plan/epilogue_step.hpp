// A step whose result is used up by formulas while it is computed, block by block, and is never held.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trntensor/epilogue/symmetry.hpp"
#include "trntensor/plan/executor.hpp"

namespace trntensor {

/// A tensor that formulas name, real. Its labels are in the formula, and may be others at each place.
struct EpilogueTensor {
  DType dtype = DType::kFloat64;
  Shape shape;      ///< the extents of its labels, or 1
  Strides strides;  ///< in elements, any
};

/// results[r] = formula.roots[r] of the elements x of `product`.
struct EpilogueProblem {
  /// `out` gives labels and extents of x; its strides mean nothing and its types are the accumulator. float32 or
  /// float64; not compensated twice.
  StepProblem product;
  epilogue::Formula formula;
  DType arithmetic = DType::kFloat64;   ///< float32 or float64, the accumulator's or wider: of all formulas
  std::vector<EpilogueTensor> tensors;  ///< as numbered in the formula
  std::vector<OperandLayout> results;   ///< one per root: over exactly its labels; real floating
  epilogue::Exchange exchange;          ///< x does not change with these labels; may be empty
  std::optional<std::int64_t> memory_limit =
      {};  ///< bytes for the blocks of x that exist at once and for arrays of reductions over all blocks
};

/// What a run works on. Pointers as for PreparedStep::run.
struct EpilogueData {
  const void* a = nullptr;
  const void* b = nullptr;
  std::span<const void* const> tensors;
  std::span<void* const> results;
};

/// Called with the blocks done and their number, never from two threads at once.
using BlockProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Immutable and safe to run from several threads at once on different data.
class PreparedEpilogue {
 public:
  virtual ~PreparedEpilogue() = default;

  /// The same bits for any number of threads. Throws Cancelled, OutOfMemory, and what `progress` throws.
  virtual void run(const EpilogueData& data, const RunContext& context, const BlockProgress& progress) const = 0;

  /// Bytes that a run with so many threads holds at once for blocks of x, and for arrays of reductions over all blocks.
  [[nodiscard]] virtual std::int64_t block_bytes(int num_threads) const = 0;

  /// Multiply-adds of the product that are carried out: fewer than all where a symmetry is used.
  [[nodiscard]] virtual double macs() const = 0;

  /// For people: blocks, route and kernel.
  [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace trntensor
