#include "trntensor/dispatch/einsum.hpp"

#include <fmt/format.h>

#include "trntensor/dispatch/calls_at_hand.hpp"
#include "trntensor/dispatch/checks.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/dispatch/planning.hpp"
#include "trntensor/dispatch/program.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/host/kernels/choice.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

std::span<const TensorView> as_span(std::initializer_list<TensorView> operands) {
  return {operands.begin(), operands.size()};
}

RunContext run_context(const EinsumOptions& options) {
  return {num_threads(options.num_threads), options.stop, options.seed};
}

/// A call with everything checked, prepared and allocated: only the computing is left.
struct ReadyCall {
  Tensor result;
  std::shared_ptr<const dispatch::Program> program;
};

/// What `einsum` refuses whatever the plan.
void check_beta(const EinsumOptions& options) {
  if (options.out || options.beta == 0.0) return;
  throw_invalid("beta is nonzero but there is no out to scale", {}, "give out, or leave beta at 0");
}

/// Checks what the plan does not know of, and prepares it.
ReadyCall make_ready(const Plan& plan, std::span<const TensorView> operands, const EinsumOptions& options) {
  const Plan::Contents& contents = plan.contents();
  dispatch::check_devices(operands);
  dispatch::check_scale({options.alpha, options.beta}, contents, contents.output_dtype);
  const Shape shape = contents.spec.output_shape();
  if (options.out) {
    dispatch::check_out(options.out->mutable_view(), shape, contents.compute_dtype);
    dispatch::check_overlap(options.out->mutable_view(), operands);
  }
  check_beta(options);
  const Tensor result = options.out ? *options.out : Tensor::empty(shape, contents.output_dtype);
  return {result, std::make_shared<const dispatch::Program>(plan, operands, result.mutable_view(),
                                                            executor_or_default(options.executor))};
}

/// The same for a call like one that this thread made before: only what such calls may differ in is checked.
ReadyCall make_ready(std::shared_ptr<const dispatch::PreparedCall> known, std::span<const TensorView> operands,
                     const EinsumOptions& options) {
  const Scale scale{options.alpha, options.beta};
  if (!dispatch::is_plain(scale)) {
    dispatch::check_scale(scale, known->cached->plan().contents(), known->result_dtype);
  }
  check_beta(options);
  if (options.out) {
    const MutableTensorView out = options.out->mutable_view();
    if (!known->program->layout().are_apart(operands, out)) dispatch::check_overlap(out, operands);
  }
  Tensor result = options.out ? *options.out : Tensor::empty(known->result_shape, known->result_dtype);
  const dispatch::Program* const program = known->program.get();
  return {std::move(result), {std::move(known), program}};
}

ReadyCall find_ready(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options) {
  const dispatch::CallKey key(subscripts, operands, options);
  auto known = key.is_complete() ? dispatch::find_at_hand(key) : nullptr;
  if (known != nullptr) return make_ready(std::move(known), operands, options);
  const std::uint64_t kernels = host::kernel_choice();
  const auto cached = dispatch::find_cached_plan(subscripts, operands, options, dispatch::out_dtype(options));
  ReadyCall ready = make_ready(cached->plan(), operands, options);
  if (key.is_complete() && cached->is_kept()) {
    dispatch::keep_at_hand(key, {cached, ready.program, ready.result.shape(), ready.result.dtype(), kernels});
  }
  return ready;
}

Tensor run_ready(ReadyCall call, std::span<const TensorView> operands, const EinsumOptions& options) {
  call.program->run(operands, call.result.mutable_view(), {options.alpha, options.beta}, run_context(options));
  return std::move(call.result);
}

}  // namespace

Tensor einsum(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options) {
  return run_ready(find_ready(subscripts, operands, options), operands, options);
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
  const auto plan = dispatch::find_plan(spec, tensors, options, dispatch::out_dtype(options));
  return run_ready(make_ready(*plan, tensors, options), tensors, options);
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
      ready.push_back(find_ready(calls[c].subscripts, calls[c].operands, options));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("contraction {}: {}", c, error.what()));
    }
  }
  std::vector<Tensor> results;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    results.push_back(run_ready(std::move(ready[c]), calls[c].operands, options));
  }
  return results;
}

Plan plan_contraction(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options) {
  return *dispatch::find_plan(subscripts, operands, options, dispatch::out_dtype(options));
}

Plan plan_contraction(std::string_view subscripts, std::initializer_list<TensorView> operands,
                      const EinsumOptions& options) {
  return plan_contraction(subscripts, as_span(operands), options);
}

PrecisionChoice select_precision_for_error(std::string_view subscripts, std::span<const TensorView> operands,
                                           double target_forward_error, EinsumOptions options) {
  options.target_forward_error = target_forward_error;
  const Plan plan = plan_contraction(subscripts, operands, options);
  return {plan.precision(), plan.error_bound()};
}

PrecisionChoice select_precision_for_error(std::string_view subscripts, std::initializer_list<TensorView> operands,
                                           double target_forward_error, const EinsumOptions& options) {
  return select_precision_for_error(subscripts, as_span(operands), target_forward_error, options);
}

double estimate_flops(std::string_view subscripts, std::span<const TensorView> operands) {
  return estimate_flops(parse_spec(subscripts, dispatch::shapes_of(operands)));
}

double estimate_flops(std::string_view subscripts, std::initializer_list<TensorView> operands) {
  return estimate_flops(subscripts, as_span(operands));
}

}  // namespace trntensor
