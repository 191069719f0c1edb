#include "trntensor/dispatch/einsum.hpp"

#include <fmt/format.h>

#include "trntensor/dispatch/checks.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/dispatch/planning.hpp"
#include "trntensor/dispatch/program.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

std::span<const TensorView> as_span(std::initializer_list<TensorView> operands) {
  return {operands.begin(), operands.size()};
}

RunContext run_context(const EinsumOptions& options) { return {num_threads(options.num_threads), options.stop}; }

/// A call with everything checked, prepared and allocated: only the computing is left.
struct ReadyCall {
  Tensor result;
  dispatch::Program program;
};

/// Checks what the plan does not know of, and prepares it.
ReadyCall make_ready(const Plan& plan, std::span<const TensorView> operands, const EinsumOptions& options) {
  const Plan::Contents& contents = plan.contents();
  dispatch::check_devices(operands);
  dispatch::check_scale({options.alpha, options.beta}, contents);
  const Shape shape = contents.spec.output_shape();
  if (options.out) {
    dispatch::check_out(options.out->mutable_view(), shape, contents.compute_dtype);
    dispatch::check_overlap(options.out->mutable_view(), operands);
  } else if (options.beta != 0.0) {
    throw_invalid("beta is nonzero but there is no out to scale", {}, "give out, or leave beta at 0");
  }
  const Tensor result = options.out ? *options.out : Tensor::empty(shape, contents.output_dtype);
  return {result, dispatch::Program(plan, operands, result.mutable_view(), executor_or_default(options.executor))};
}

Tensor run_ready(const ReadyCall& call, std::span<const TensorView> operands, const EinsumOptions& options) {
  call.program.run(operands, call.result.mutable_view(), {options.alpha, options.beta}, run_context(options));
  return call.result;
}

Tensor run_plan(const Plan& plan, std::span<const TensorView> operands, const EinsumOptions& options) {
  return run_ready(make_ready(plan, operands, options), operands, options);
}

}  // namespace

Tensor einsum(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options) {
  return run_plan(*dispatch::find_plan(subscripts, operands, options, dispatch::out_dtype(options)), operands, options);
}

Tensor einsum(std::string_view subscripts, std::initializer_list<TensorView> operands, const EinsumOptions& options) {
  return einsum(subscripts, as_span(operands), options);
}

Tensor einsum(std::span<const LabelledOperand> operands, const std::optional<std::vector<std::int64_t>>& output,
              const EinsumOptions& options) {
  std::vector<TensorView> tensors;
  std::vector<std::vector<std::int64_t>> labels;
  for (const LabelledOperand& operand : operands) {
    tensors.push_back(operand.tensor);
    labels.push_back(operand.labels);
  }
  const Spec spec = make_spec(labels, output, dispatch::shapes_of(tensors));
  return run_plan(*dispatch::find_plan(spec, tensors, options, dispatch::out_dtype(options)), tensors, options);
}

Tensor einsum(std::initializer_list<LabelledOperand> operands, const std::optional<std::vector<std::int64_t>>& output,
              const EinsumOptions& options) {
  return einsum(std::span<const LabelledOperand>(operands.begin(), operands.size()), output, options);
}

std::vector<Tensor> multi_einsum(std::span<const ContractionCall> calls, const EinsumOptions& options) {
  if (options.out || options.beta != 0.0) {
    throw_invalid("multi_einsum takes no out and no beta: they belong to a single contraction", {},
                  "call einsum for the contraction that accumulates");
  }
  std::vector<ReadyCall> ready;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    try {
      const auto plan = dispatch::find_plan(calls[c].subscripts, calls[c].operands, options);
      ready.push_back(make_ready(*plan, calls[c].operands, options));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("contraction {}: {}", c, error.what()));
    }
  }
  std::vector<Tensor> results;
  for (std::size_t c = 0; c < calls.size(); ++c) results.push_back(run_ready(ready[c], calls[c].operands, options));
  return results;
}

Plan plan_contraction(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options) {
  return *dispatch::find_plan(subscripts, operands, options, dispatch::out_dtype(options));
}

Plan plan_contraction(std::string_view subscripts, std::initializer_list<TensorView> operands,
                      const EinsumOptions& options) {
  return plan_contraction(subscripts, as_span(operands), options);
}

double estimate_flops(std::string_view subscripts, std::span<const TensorView> operands) {
  return estimate_flops(parse_spec(subscripts, dispatch::shapes_of(operands)));
}

double estimate_flops(std::string_view subscripts, std::initializer_list<TensorView> operands) {
  return estimate_flops(subscripts, as_span(operands));
}

}  // namespace trntensor
