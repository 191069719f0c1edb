#include "trntensor/dispatch/last_product.hpp"

#include <algorithm>

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/dispatch/step_layouts.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::dispatch {
namespace {

/// The operands that each input of the last step is made of.
std::vector<std::vector<std::size_t>> leaves_of_last_step(const Plan::Contents& plan) {
  std::vector<std::vector<std::size_t>> of_tensor;
  for (std::size_t k = 0; k < plan.input_dtypes.size(); ++k) of_tensor.push_back({k});
  const std::vector<std::vector<std::size_t>> steps = inputs_of_steps(plan);
  for (const std::vector<std::size_t>& inputs : steps) {
    std::vector<std::size_t> joined;
    for (const std::size_t tensor : inputs) {
      joined.insert(joined.end(), of_tensor[tensor].begin(), of_tensor[tensor].end());
    }
    of_tensor.push_back(joined);
  }
  std::vector<std::vector<std::size_t>> leaves;
  for (const std::size_t tensor : steps.back()) leaves.push_back(of_tensor[tensor]);
  return leaves;
}

/// The contraction of some operands over `labels`, in the accumulator's type.
Tensor contract(const Plan::Contents& plan, std::span<const TensorView> operands,
                const std::vector<std::size_t>& leaves, const Labels& labels, const EinsumOptions& options) {
  std::vector<LabelledOperand> inputs;
  std::vector<Tensor> converted;
  for (const std::size_t leaf : leaves) {
    TensorView view = operands[leaf];
    if (view.dtype() != plan.compute_dtype) {  // elements are rounded to the type of the contraction first
      converted.push_back(Tensor::empty(view.shape(), plan.compute_dtype));
      copy(view, converted.back().mutable_view());
      view = converted.back();
    }
    inputs.push_back({view, {plan.spec.axes[leaf].begin(), plan.spec.axes[leaf].end()}});
  }
  EinsumOptions call = options;
  call.dtype = plan.accumulator_dtype;
  return einsum(inputs, std::vector<std::int64_t>(labels.begin(), labels.end()), call);
}

/// Labels that change places when the two operands, which are one tensor, do.
epilogue::Exchange find_exchange(const Spec& spec, std::span<const TensorView> operands) {
  const TensorView& a = operands[0];
  const TensorView& b = operands[1];
  if (a.data() != b.data() || a.dtype() != b.dtype() || !(a.shape() == b.shape()) || !(a.strides() == b.strides())) {
    return {};
  }
  epilogue::Exchange exchange;
  const auto image_of = [&](Label label) { return epilogue::exchanged(exchange, label); };
  for (std::size_t d = 0; d < spec.axes[0].size(); ++d) {
    const Label first = spec.axes[0][d];
    const Label second = spec.axes[1][d];
    if (first == second || image_of(first) == second) continue;
    const bool is_free = image_of(first) == first && image_of(second) == second;
    if (!is_free || !contains(spec.output, first) || !contains(spec.output, second)) return {};
    exchange.emplace_back(first, second);
  }
  for (std::size_t d = 0; d < spec.axes[0].size(); ++d) {  // every axis agrees with what was found
    if (image_of(spec.axes[0][d]) != spec.axes[1][d]) return {};
  }
  return spec.broadcast[0] == spec.broadcast[1] ? exchange : epilogue::Exchange{};
}

}  // namespace

LastProduct find_last_product(const Plan::Contents& plan, std::span<const TensorView> operands,
                              const EinsumOptions& options) {
  const PlanStep& step = plan.steps.back();
  const auto leaves = leaves_of_last_step(plan);
  LastProduct product;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    TensorView view = operands[leaves[k].front()];
    OperandLayout layout = operand_layout(plan.spec, leaves[k].front(), view, plan.compute_dtype);
    Labels needed;
    for (const Label label : step.inputs[k]) {
      if (!contains(step.presummed, label) || leaves.size() == 1) needed.push_back(label);
    }
    if (leaves[k].size() > 1 || needed.size() < step.inputs[k].size()) {
      product.intermediates.push_back(contract(plan, operands, leaves[k], needed, options));
      view = product.intermediates.back();
      layout = packed_layout(plan.spec, needed, plan.accumulator_dtype).layout;
    }
    (k == 0 ? product.a : product.b) = view;
    k == 0 ? static_cast<void>(product.problem.a = layout) : static_cast<void>(product.problem.b = layout);
  }
  product.problem.out = packed_layout(plan.spec, plan.spec.output, plan.accumulator_dtype).layout;
  product.problem.accumulator = plan.accumulator_dtype;
  product.problem.compensated = plan.compensated();
  product.problem.keeps_subnormals = plan.target_forward_error.has_value();
  if (leaves.size() == 2 && product.intermediates.empty()) {
    // The first operand of the step may be the second of the call; the exchange is the same.
    if (operands.size() == 2) product.exchange = find_exchange(plan.spec, operands);
  }
  sum_over_nothing(plan.spec, product.problem);
  return product;
}

}  // namespace trntensor::dispatch
