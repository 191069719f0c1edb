// The plan of a contraction: an immutable value that says what will be computed, in which order, where and why.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/plan/options.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor {

/// What one step costs. Doubles, because the costs of plans that nobody would run exceed 64 bits; exact up to 2^53,
/// no product goes beyond 1e300.
struct StepCost {
  double macs = 0;      ///< multiply-adds (for one operand: elements read)
  double bytes = 0;     ///< least traffic: every operand read once, the result written once
  double elements = 0;  ///< of the result

  friend bool operator==(const StepCost&, const StepCost&) = default;
};

/// How a step maps onto matrix work.
enum class Strategy : std::uint8_t {
  kUnary,    ///< one operand: transpose, diagonal, reduction, conversion
  kMatmul,   ///< M, N and K, no batch
  kBmm,      ///< with batch labels
  kGeneral,  ///< no contracted label, or a matrix side is missing: outer and elementwise products, dots, sums
};

/// "unary", "matmul", "bmm", "general".
std::string_view to_string(Strategy strategy) noexcept;

/// One step: takes one or two entries of the current list of tensors, appends its result.
struct PlanStep {
  std::vector<int> operands;   ///< positions in the current list
  std::vector<Labels> inputs;  ///< distinct labels of each operand
  Labels output;               ///< labels of the result, in memory order
  Labels contracted;           ///< in both operands and not in the result
  Labels batch;                ///< in both operands and in the result
  Labels presummed;            ///< in one operand only and not in the result: summed there first
  Strategy strategy = Strategy::kGeneral;
  bool trans_a = false;           ///< the contracted labels come first in the first operand
  bool trans_b = false;           ///< the contracted labels come last in the second operand
  std::string backend;            ///< executor that runs it, "host"
  std::string reason;             ///< why there
  DType dtype = DType::kFloat64;  ///< element type of the result
  StepCost cost;

  friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

class Plan {
 public:
  /// Everything a plan holds; `Plan` only gives it out. Built by `make_plan` and `from_json`.
  struct Contents {
    Spec spec;
    std::vector<DType> input_dtypes;
    DType compute_dtype = DType::kFloat64;      ///< operands are converted to it; the result's type before rounding
    DType accumulator_dtype = DType::kFloat64;  ///< sums and intermediates are held in it
    DType output_dtype = DType::kFloat64;
    Precision precision = Precision::kFast;
    std::string method;  ///< path finder that found it: "optimal", "greedy", "given", "trivial"
    std::vector<PlanStep> steps;
    double naive_macs = 0;        ///< all operands in one loop nest
    double macs = 0;              ///< sum over the steps
    double largest_elements = 0;  ///< of all operands' and steps' results
    double peak_bytes = 0;        ///< intermediates, lone-label sums and result alive at once, at most
    double search_seconds = 0;
    std::optional<double> target_forward_error = {};  ///< what the precision was chosen for
    double error_bound = 0;                           ///< see plan/error_bound.hpp

    /// How many corrections sums carry: 1 in kahan where no wider accumulator type exists, 2 in dd but for integers and
    /// in sr where no wider type exists.
    [[nodiscard]] int compensated() const noexcept;

    /// Whether the result is rounded stochastically: in sr but for integers.
    [[nodiscard]] bool rounds_stochastically() const noexcept;
  };

  explicit Plan(Contents contents) : contents_(std::move(contents)) {}

  [[nodiscard]] const Contents& contents() const noexcept { return contents_; }
  [[nodiscard]] const Spec& spec() const noexcept { return contents_.spec; }
  [[nodiscard]] const std::vector<PlanStep>& steps() const noexcept { return contents_.steps; }

  /// The names of the original package. `strategy()` is that of the only step, "path" for more; `trans_a`,
  /// `contraction_indices` and kin describe the only step (empty for a path of several); `backend()` is "mixed" when
  /// the steps' differ.
  [[nodiscard]] std::string subscripts() const { return contents_.spec.to_string(); }
  [[nodiscard]] std::string strategy() const;
  [[nodiscard]] std::string backend() const;
  [[nodiscard]] bool trans_a() const noexcept;
  [[nodiscard]] bool trans_b() const noexcept;
  [[nodiscard]] std::vector<std::string> contraction_indices() const;
  [[nodiscard]] std::vector<std::string> batch_indices() const;
  [[nodiscard]] std::vector<std::string> output_indices() const;
  [[nodiscard]] double estimated_flops() const noexcept { return 2 * contents_.macs; }  ///< 2 per multiply-add
  [[nodiscard]] ContractionPath contraction_path() const;
  [[nodiscard]] Precision precision() const noexcept { return contents_.precision; }

  /// |result - exact| <= error_bound() * sum |a b| for every element: see docs/precision.md.
  [[nodiscard]] double error_bound() const noexcept { return contents_.error_bound; }

  /// A table: one line a step with its text, strategy, backend, multiply-adds, bytes and result size, then totals.
  [[nodiscard]] std::string to_table() const;

  /// JSON with the names written down in docs/plan-json.md; `from_json` reads it back to an equal plan.
  /// from_json throws InvalidArgument that names the field that is missing, mistyped or inconsistent.
  [[nodiscard]] std::string to_json() const;
  static Plan from_json(std::string_view text);

  /// All contents but the names of labels and the time the search took.
  friend bool operator==(const Plan& a, const Plan& b);

 private:
  Contents contents_;
};

class Executor;

/// Orders the contraction of `spec` into steps of one or two operands.
/// Throws InvalidArgument for a given path that is not one, Unsupported for an optimal search beyond its bounds,
/// OutOfMemory when the memory limit cannot be kept (names the need), Cancelled when the stop token is triggered.
/// `executor` is asked by name only: it becomes each step's backend.
Plan make_plan(const Spec& spec, std::span<const DType> dtypes, const PlanOptions& options, const Executor& executor);

/// Multiply-adds of the all-at-once loop nest: the product of the extents of all labels, at most 1e300.
double estimate_flops(const Spec& spec);

}  // namespace trntensor
