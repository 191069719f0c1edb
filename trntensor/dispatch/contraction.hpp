// A contraction planned once and run many times on new data of the same shapes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "trntensor/dispatch/options.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor {

namespace dispatch {
class Program;
}

/// Immutable; may be run from several threads at once. Fastest for operands whose strides are those of the operands
/// it was made from; other strides are prepared anew on each call, with the same plan.
class Contraction {
 public:
  /// Plans `subscripts` for operands like `operands` (shapes, element types, strides; data is not touched). Of the
  /// options, alpha, beta and out belong to a call and are not used; an executor must outlive the Contraction. Throws
  /// as `einsum` does.
  Contraction(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options = {});
  Contraction(std::string_view subscripts, std::initializer_list<TensorView> operands,
              const EinsumOptions& options = {});

  /// Runs a plan that exists already, for example one read from JSON. Of the options, executor, num_threads, seed and
  /// stop are used; how to contract is what the plan says. Throws InvalidArgument when the operands' shapes or types
  /// are not the plan's.
  Contraction(std::shared_ptr<const Plan> plan, std::span<const TensorView> operands,
              const EinsumOptions& options = {});

  /// The result in a new tensor. Throws InvalidArgument when a shape or element type is not the planned one.
  [[nodiscard]] Tensor operator()(std::span<const TensorView> operands) const;
  [[nodiscard]] Tensor operator()(std::initializer_list<TensorView> operands) const;

  /// out = alpha * contraction + beta * out, in place; a call that is cancelled leaves out partly written. With alpha =
  /// 0 the operands are not read, with beta = 0 out is not. Throws as above, and when `out` is not the result's shape,
  /// has elements that share memory, overlaps an operand, or is of a type that cannot keep the plan's
  /// target_forward_error.
  void run_into(std::span<const TensorView> operands, const MutableTensorView& out, const Scale& scale = {}) const;
  void run_into(std::initializer_list<TensorView> operands, const MutableTensorView& out,
                const Scale& scale = {}) const;

  /// The same contraction with another seed for stochastic rounding; what is prepared is shared.
  [[nodiscard]] Contraction with_seed(std::uint64_t seed) const;

  [[nodiscard]] const Plan& plan() const noexcept { return *plan_; }

  /// What runs: one line a step with the executor's route and kernel, and a last one with the precision and its bound.
  [[nodiscard]] std::string describe() const;

 private:
  void check_operands(std::span<const TensorView> operands) const;
  /// For calls that differ from the one it was made for, or seem to.
  void run_checked(std::span<const TensorView> operands, const MutableTensorView& out, const Scale& scale) const;

  std::shared_ptr<const Plan> plan_;
  std::shared_ptr<const dispatch::Program> program_;
  const Executor* executor_;
  RunContext context_;
};

}  // namespace trntensor
