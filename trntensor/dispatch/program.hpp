// A plan made ready for the layouts of its operands: the steps in order, each prepared by the executor.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trntensor/dispatch/call_layout.hpp"
#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor::dispatch {

/// Immutable and safe to run from several threads at once.
class Program {
 public:
  /// Prepares every step of `plan` for operands and a result laid out as `operands` and `out`; data is not touched.
  /// The executor must outlive the program.
  Program(const Plan& plan, std::span<const TensorView> operands, const MutableTensorView& out,
          const Executor& executor);

  /// What data that is given to `run` must match.
  [[nodiscard]] const CallLayout& layout() const noexcept { return layout_; }

  /// out = scale.alpha * contraction + scale.beta * out. With alpha = 0 the operands are not read. Intermediates are
  /// allocated when they come to life and freed once used. Throws what the executor throws.
  void run(std::span<const TensorView> operands, const MutableTensorView& out, const Scale& scale,
           const RunContext& context) const;

  /// One line a step: what the executor does.
  [[nodiscard]] std::string describe() const;

 private:
  struct Step {
    std::unique_ptr<const PreparedStep> prepared;
    std::vector<std::size_t> inputs;  // as inputs_of_steps has them
    std::size_t result_bytes = 0;     // of an intermediate; 0 for the last step
  };

  /// The step of a program that has no other, so that it is run without a search.
  struct OnlyStep {
    const PreparedStep* prepared = nullptr;
    std::size_t a = 0;
    std::size_t b = 0;
    bool is_binary = false;
  };

  void run_steps(std::span<const TensorView> operands, const MutableTensorView& out, const Scale& scale,
                 const RunContext& context) const;
  void scale_out(const MutableTensorView& out, const Scale& scale, const RunContext& context) const;

  const Executor* executor_;
  StepProblem last_problem_;
  std::vector<Step> steps_;
  OnlyStep only_step_;
  CallLayout layout_;
};

}  // namespace trntensor::dispatch
