#include "trntensor/dispatch/contraction.hpp"

#include <fmt/format.h>

#include "trntensor/dispatch/checks.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/dispatch/planning.hpp"
#include "trntensor/dispatch/program.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

/// A result of the plan's shape and type whose data is never touched.
MutableTensorView result_prototype(const Plan& plan) {
  static std::byte anywhere;
  return {&anywhere, plan.contents().output_dtype, plan.spec().output_shape()};
}

}  // namespace

Contraction::Contraction(std::string_view subscripts, std::span<const TensorView> operands,
                         const EinsumOptions& options)
    : Contraction(dispatch::find_plan(subscripts, operands, options), operands, options) {}

Contraction::Contraction(std::string_view subscripts, std::initializer_list<TensorView> operands,
                         const EinsumOptions& options)
    : Contraction(subscripts, std::span<const TensorView>(operands.begin(), operands.size()), options) {}

Contraction::Contraction(std::shared_ptr<const Plan> plan, std::span<const TensorView> operands,
                         const EinsumOptions& options)
    : plan_(std::move(plan)),
      executor_(&executor_or_default(options.executor)),
      context_{num_threads(options.num_threads), options.stop, options.seed} {
  if (plan_ == nullptr) throw_invalid("the plan is null", {}, "give a plan, or the subscripts");
  check_operands(operands);
  program_ = std::make_shared<const dispatch::Program>(*plan_, operands, result_prototype(*plan_), *executor_);
}

void Contraction::check_operands(std::span<const TensorView> operands) const {
  const Plan::Contents& planned = plan_->contents();
  if (operands.size() != planned.input_dtypes.size()) {
    throw_invalid(fmt::format("{} operands given, the plan has {}", operands.size(), planned.input_dtypes.size()),
                  planned.spec.to_string(), "give one operand per term");
  }
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Shape shape = planned.spec.operand_shape(k);
    if (!(operands[k].shape() == shape)) {
      throw_invalid(fmt::format("operand {} has shape {}, the plan was made for {}", k,
                                format_shape(operands[k].shape()), format_shape(shape)),
                    planned.spec.to_string(), "make a new Contraction for these shapes");
    }
    if (operands[k].dtype() != planned.input_dtypes[k]) {
      throw_invalid(fmt::format("operand {} is {}, the plan was made for {}", k, to_string(operands[k].dtype()),
                                to_string(planned.input_dtypes[k])),
                    planned.spec.to_string(), "convert the operand or make a new Contraction");
    }
  }
  dispatch::check_devices(operands);
}

Tensor Contraction::operator()(std::span<const TensorView> operands) const {
  Tensor result = Tensor::empty(plan_->spec().output_shape(), plan_->contents().output_dtype);
  run_into(operands, result.mutable_view());
  return result;
}

Tensor Contraction::operator()(std::initializer_list<TensorView> operands) const {
  return (*this)(std::span<const TensorView>(operands.begin(), operands.size()));
}

void Contraction::run_into(std::span<const TensorView> operands, const MutableTensorView& out,
                           const Scale& scale) const {
  // What a matching layout does not say is checked here, the rest was when the layout was prepared.
  const dispatch::CallLayout& layout = program_->layout();
  if (!layout.matches(operands, out) || !layout.are_apart(operands, out)) {
    run_checked(operands, out, scale);
    return;
  }
  if (!dispatch::is_plain(scale)) dispatch::check_scale(scale, plan_->contents(), out.dtype());
  program_->run(operands, out, scale, context_);
}

void Contraction::run_checked(std::span<const TensorView> operands, const MutableTensorView& out,
                              const Scale& scale) const {
  check_operands(operands);
  dispatch::check_out(out, plan_->spec().output_shape(), plan_->contents().compute_dtype);
  dispatch::check_overlap(out, operands);
  dispatch::check_scale(scale, plan_->contents(), out.dtype());
  dispatch::check_target(plan_->contents(), out.dtype());
  if (program_->layout().matches(operands, out)) {
    program_->run(operands, out, scale, context_);
  } else {
    dispatch::Program(*plan_, operands, out, *executor_).run(operands, out, scale, context_);
  }
}

void Contraction::run_into(std::initializer_list<TensorView> operands, const MutableTensorView& out,
                           const Scale& scale) const {
  run_into(std::span<const TensorView>(operands.begin(), operands.size()), out, scale);
}

Contraction Contraction::with_seed(std::uint64_t seed) const {
  Contraction other = *this;
  other.context_.seed = seed;
  return other;
}

std::string Contraction::describe() const {
  return fmt::format("{}precision {}, error at most {:.3g} sum |a b|\n", program_->describe(),
                     to_string(plan_->precision()), plan_->error_bound());
}

}  // namespace trntensor
