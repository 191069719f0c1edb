#include "trntensor/dispatch/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trntensor/support/aligned_memory.hpp"
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

/// A summed label of extent 0, if there is one: then every element of the result is an empty sum.
std::optional<Label> empty_sum_label(const Spec& spec) {
  for (std::size_t label = 0; label < spec.extents.size(); ++label) {
    const auto dense = static_cast<Label>(label);
    const bool summed = std::find(spec.output.begin(), spec.output.end(), dense) == spec.output.end();
    if (summed && spec.extents[label] == 0) return dense;
  }
  return std::nullopt;
}

/// Makes every element of the step's result a sum over nothing. Without it a sum over nothing of one operand, a 0,
/// would meet the NaN and infinities of the others, where the contraction as a whole has no terms.
void sum_over_nothing(StepProblem& problem, Label empty) {
  const auto add = [empty](OperandLayout& layout) {
    const bool known =
        std::any_of(layout.axes.begin(), layout.axes.end(), [empty](const Axis& axis) { return axis.label == empty; });
    if (!known) layout.axes.push_back(Axis{empty, 0, 0});
  };
  add(problem.a);
  if (problem.b) add(*problem.b);
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

/// An intermediate: a C-ordered tensor over the labels.
OperandLayout packed_layout(const Spec& spec, const Labels& labels, DType dtype, std::size_t& bytes) {
  OperandLayout layout{dtype, dtype, {}};
  for (const Label label : labels) layout.axes.push_back(Axis{label, spec.extents[static_cast<std::size_t>(label)], 0});
  bytes = static_cast<std::size_t>(pack_axes(layout)) * size_of(dtype);
  return layout;
}

void check_stop(const std::stop_token& stop) {
  if (is_stopped(stop)) throw Error(ErrorKind::kCancelled, "the contraction was cancelled");
}

}  // namespace

OperandLayout operand_layout(const Spec& spec, std::size_t operand, const TensorView& view, DType load_as) {
  OperandLayout layout{view.dtype(), load_as, {}};
  const Labels& labels = spec.axes[operand];
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (spec.broadcast[operand][d]) continue;
    auto* const known =
        std::find_if(layout.axes.begin(), layout.axes.end(), [&](const Axis& axis) { return axis.label == labels[d]; });
    if (known == layout.axes.end()) {
      layout.axes.push_back(Axis{labels[d], view.shape()[d], view.strides()[d]});
    } else if (known->extent > 1) {  // else no step is ever taken, and the strides may be anything
      known->stride += view.strides()[d];
    }
  }
  return layout;
}

Program::Program(const Plan& plan, std::span<const TensorView> operands, const MutableTensorView& out,
                 const Executor& executor)
    : executor_(&executor), layout_(operands, out) {
  const Plan::Contents& contents = plan.contents();
  check_backend(contents, executor);
  check_addressable(contents);
  const std::optional<Label> empty = empty_sum_label(contents.spec);
  std::vector<int> current;            // tensor number of each entry of the current list
  std::vector<OperandLayout> layouts;  // per tensor number
  std::vector<std::int64_t> parts(operands.size(), 0);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    current.push_back(static_cast<int>(k));
    layouts.push_back(operand_layout(contents.spec, k, operands[k], contents.compute_dtype));
  }
  for (std::size_t s = 0; s < contents.steps.size(); ++s) {
    const PlanStep& step = contents.steps[s];
    const bool last = s + 1 == contents.steps.size();
    Step ready;
    for (const int position : step.operands) ready.inputs.push_back(current[static_cast<std::size_t>(position)]);
    StepProblem problem;
    problem.a = layouts[static_cast<std::size_t>(ready.inputs[0])];
    if (ready.inputs.size() > 1) problem.b = layouts[static_cast<std::size_t>(ready.inputs[1])];
    problem.out = last ? result_layout(contents.spec, out)
                       : packed_layout(contents.spec, step.output, contents.accumulator_dtype, ready.result_bytes);
    if (last && empty) sum_over_nothing(problem, *empty);
    problem.accumulator = contents.accumulator_dtype;
    problem.compensated = contents.compensated();
    problem.any_threads = contents.rounds_stochastically();
    problem.stochastic = last && problem.any_threads;
    if (problem.compensated == 2) {
      problem.parts.a = parts[static_cast<std::size_t>(ready.inputs[0])];
      if (problem.b) problem.parts.b = parts[static_cast<std::size_t>(ready.inputs[1])];
      if (!last) problem.parts.out = static_cast<std::int64_t>(ready.result_bytes / size_of(problem.out.dtype));
      if (!last) ready.result_bytes *= 2;
    }
    parts.push_back(problem.parts.out);
    ready.prepared = executor.prepare(problem);
    steps_.push_back(std::move(ready));

    std::vector<int> used = step.operands;
    std::sort(used.rbegin(), used.rend());
    for (const int position : used) current.erase(current.begin() + position);
    current.push_back(static_cast<int>(layouts.size()));
    layouts.push_back(problem.out);
    if (last) last_problem_ = std::move(problem);
  }
  if (steps_.size() != 1) return;
  const std::vector<int>& inputs = steps_.front().inputs;
  only_step_ = {steps_.front().prepared.get(), static_cast<std::size_t>(inputs.front()),
                static_cast<std::size_t>(inputs.back()), inputs.size() > 1};
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
  std::vector<AlignedBuffer> intermediates(steps_.size());
  const auto address = [&](int tensor) -> const void* {
    const auto index = static_cast<std::size_t>(tensor);
    return index < num_operands ? operands[index].data() : intermediates[index - num_operands].get();
  };
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    check_stop(context.stop);
    const Step& step = steps_[s];
    const bool last = s + 1 == steps_.size();
    if (!last) intermediates[s] = allocate_aligned(step.result_bytes);
    step.prepared->run(address(step.inputs[0]), step.inputs.size() > 1 ? address(step.inputs[1]) : nullptr,
                       last ? out.data() : intermediates[s].get(), last ? scale : Scale{}, context);
    for (const int tensor : step.inputs) {
      const auto index = static_cast<std::size_t>(tensor);
      if (index >= num_operands) intermediates[index - num_operands].reset();
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
