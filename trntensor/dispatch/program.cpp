#include "trntensor/dispatch/program.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "trntensor/dispatch/step_layouts.hpp"
#include "trntensor/host/workspace.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/interrupt.hpp"

namespace trntensor::dispatch {
namespace {

OperandLayout result_layout(const Spec& spec, const MutableTensorView& out) {
  OperandLayout layout{out.dtype(), out.dtype(), {}};
  for (std::size_t d = 0; d < spec.output.size(); ++d) {
    layout.axes.push_back(Axis{spec.output[d], out.shape()[d], out.strides()[d]});
  }
  return layout;
}

/// What the plan says is what runs, also when it came from a file.
void check_backend(const Plan::Contents& contents, const Executor& executor) {
  for (const PlanStep& step : contents.steps) {
    if (step.backend == executor.name()) continue;
    throw_invalid(fmt::format("the plan runs on \"{}\", the executor is \"{}\"", step.backend, executor.name()),
                  contents.spec.to_string(), "give that executor, or plan anew for this one");
  }
}

/// Sizes and strides of intermediates must fit 63 bits; anything near that is beyond every machine anyway.
void check_addressable(const Plan::Contents& contents) {
  constexpr double kLargest = 0x1p62;
  if (contents.peak_bytes <= kLargest) return;
  throw Error(ErrorKind::kOutOfMemory,
              fmt::format("the contraction needs {} for intermediates and result", format_bytes(contents.peak_bytes)),
              contents.spec.to_string(), "give another path, or slice the operands");
}

/// An operand of the plan or the result of a step.
struct StepTensor {
  OperandLayout layout;
  std::int64_t parts = 0;  ///< as StepProblem::parts has it
};

/// A step as far as its inputs and the plan say.
StepProblem problem_of_inputs(const Plan::Contents& contents, std::span<const std::size_t> inputs,
                              std::span<const StepTensor> tensors) {
  StepProblem problem;
  problem.accumulator = contents.accumulator_dtype;
  problem.compensated = contents.compensated();
  problem.any_threads = contents.rounds_stochastically();
  problem.keeps_subnormals = contents.target_forward_error.has_value();
  problem.a = tensors[inputs[0]].layout;
  problem.parts.a = tensors[inputs[0]].parts;
  if (inputs.size() > 1) {
    problem.b = tensors[inputs[1]].layout;
    problem.parts.b = tensors[inputs[1]].parts;
  }
  return problem;
}

/// Makes the result of a step an intermediate, in two parts where sums are compensated twice; returns its bytes.
std::size_t give_intermediate(const Plan::Contents& contents, const Labels& labels, StepProblem& problem) {
  const PackedLayout packed = packed_layout(contents.spec, labels, contents.accumulator_dtype);
  problem.out = packed.layout;
  const std::size_t bytes = static_cast<std::size_t>(packed.elements) * size_of(problem.out.dtype);
  if (problem.compensated != 2) return bytes;
  problem.parts.out = packed.elements;
  return 2 * bytes;
}

void check_stop(const std::stop_token& stop) {
  if (is_stopped(stop)) throw Error(ErrorKind::kCancelled, "the contraction was cancelled");
}

}  // namespace

Program::Program(const Plan& plan, std::span<const TensorView> operands, const MutableTensorView& out,
                 const Executor& executor)
    : executor_(&executor), layout_(operands, out) {
  const Plan::Contents& contents = plan.contents();
  check_backend(contents, executor);
  check_addressable(contents);
  std::vector<StepTensor> tensors;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    tensors.push_back({operand_layout(contents.spec, k, operands[k], contents.compute_dtype)});
  }
  for (std::vector<std::size_t>& inputs : inputs_of_steps(contents)) {
    StepProblem problem = problem_of_inputs(contents, inputs, tensors);
    Step step;
    if (steps_.size() + 1 == contents.steps.size()) {
      problem.out = result_layout(contents.spec, out);
      problem.stochastic = problem.any_threads;
      sum_over_nothing(contents.spec, problem);
      last_problem_ = problem;
    } else {
      step.result_bytes = give_intermediate(contents, contents.steps[steps_.size()].output, problem);
    }
    step.prepared = executor.prepare(problem);
    step.inputs = std::move(inputs);
    steps_.push_back(std::move(step));
    tensors.push_back({problem.out, problem.parts.out});
  }
  if (steps_.size() != 1) return;
  const std::vector<std::size_t>& inputs = steps_.front().inputs;
  only_step_ = {steps_.front().prepared.get(), inputs.front(), inputs.back(), inputs.size() > 1};
}

void Program::run(std::span<const TensorView> operands, const MutableTensorView& out, const Scale& scale,
                  const RunContext& context) const {
  if (scale.alpha == 0.0) {
    scale_out(out, scale, context);
  } else if (only_step_.prepared != nullptr) {
    check_stop(context.stop);
    only_step_.prepared->run(operands[only_step_.a].data(),
                             only_step_.is_binary ? operands[only_step_.b].data() : nullptr, out.data(), scale,
                             context);
  } else {
    run_steps(operands, out, scale, context);
  }
}

void Program::run_steps(std::span<const TensorView> operands, const MutableTensorView& out, const Scale& scale,
                        const RunContext& context) const {
  const std::size_t num_operands = operands.size();
  std::vector<std::optional<host::Workspace>> intermediates(steps_.size());  // kept by the thread from run to run
  const auto address = [&](std::size_t tensor) -> const void* {
    return tensor < num_operands ? operands[tensor].data() : intermediates[tensor - num_operands]->data();
  };
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    check_stop(context.stop);
    const Step& step = steps_[s];
    const bool last = s + 1 == steps_.size();
    if (!last) intermediates[s].emplace(step.result_bytes);
    step.prepared->run(address(step.inputs[0]), step.inputs.size() > 1 ? address(step.inputs[1]) : nullptr,
                       last ? out.data() : intermediates[s]->data(), last ? scale : Scale{}, context);
    for (const std::size_t tensor : step.inputs) {
      if (tensor >= num_operands) intermediates[tensor - num_operands].reset();
    }
  }
}

// out = 0 + beta * out: a scalar 0, repeated; times another where the executor was to take two operands.
void Program::scale_out(const MutableTensorView& out, const Scale& scale, const RunContext& context) const {
  const std::array<std::byte, sizeof(std::complex<double>)> zero{};
  StepProblem problem = last_problem_;
  problem.a = {problem.accumulator, problem.accumulator, {}};
  if (problem.b) problem.b = problem.a;
  problem.parts = {};
  executor_->prepare(problem)->run(zero.data(), problem.b ? zero.data() : nullptr, out.data(), {1.0, scale.beta},
                                   context);
}

std::string Program::describe() const {
  std::string text;
  for (const Step& step : steps_) text += step.prepared->describe() + "\n";
  return text;
}

}  // namespace trntensor::dispatch
