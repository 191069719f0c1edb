#include "trntensor/host/nest_setup.hpp"

#include <utility>

#include "trntensor/host/streaming.hpp"

namespace trntensor::host {
namespace {

RunTransfer loading(const InputType& input, DType accumulator, const VectorTable& table) {
  return {Conversion::through(input.dtype, input.load_as, accumulator), input.dtype, table};
}

// A tile whose runs step through an operand writes short pieces of many lines of out.
bool is_worth_streaming(const NestProblem& problem, const NestPlan& plan) {
  const std::int64_t bytes = size_of(problem.kept) * static_cast<std::int64_t>(size_of(problem.out_dtype));
  const bool apart = plan.form == NestForm::kAcross && (plan.vector.a > 1 || plan.vector.b > 1);
  return apart ? is_worth_streaming_apart(bytes) : is_worth_streaming_in_order(bytes);
}

bool has_no_elements(const Group& group) { return size_of(group) == 0; }

}  // namespace

NestSetup::NestSetup(NestProblem problem, const VectorTable& table) : NestSetup(problem, normalise(problem), table) {}

NestSetup::NestSetup(const NestProblem& problem, const Origins& turned, const VectorTable& table)
    : accumulator(problem.accumulator),
      is_empty(has_no_elements(problem.kept)),
      origins(turned),
      kernels(&table.for_accumulator(problem.accumulator, problem.compensated)),
      plan(is_empty ? NestPlan{} : plan_nest(problem, *kernels)),
      load_a(loading(problem.a, accumulator, table)),
      load_b(problem.b ? std::optional(loading(*problem.b, accumulator, table)) : std::nullopt),
      load_out(Conversion::through(problem.out_dtype, accumulator, accumulator), problem.out_dtype, table),
      store_out(Conversion::through(accumulator, accumulator, problem.out_dtype), accumulator, table),
      streams(is_worth_streaming(problem, plan)) {}

NestCall::NestCall(const NestSetup& setup, const void* a_memory, const void* b_memory, void* out_memory,
                   const Scale& call_scale, const std::stop_token& call_stop)
    : a(static_cast<const std::byte*>(a_memory)),
      b(static_cast<const std::byte*>(b_memory)),
      out(static_cast<std::byte*>(out_memory)),
      scale(call_scale),
      stop(call_stop) {
  a += setup.origins.a * setup.load_a.source_size();
  if (setup.load_b) b += setup.origins.b * setup.load_b->source_size();
  out += setup.origins.out * setup.load_out.source_size();
  const auto item = setup.kernels->item;
  const std::size_t alignment = is_complex(setup.accumulator) ? item / 2 : item;
  const auto is_aligned = [&](const void* memory) { return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0; };
  const NestPlan& plan = setup.plan;
  // A run is adjacent elements, or for one of two operands across the same element over and over.
  const bool across = plan.form == NestForm::kAcross;
  const auto is_run = [&](std::int64_t stride, std::int64_t other) {
    return stride == 1 || (across && stride == 0 && other != 0);
  };
  a_in_place = setup.load_a.is_identity() && is_aligned(a) && is_run(plan.vector.a, plan.vector.b);
  b_in_place = setup.load_b && setup.load_b->is_identity() && is_aligned(b) && is_run(plan.vector.b, plan.vector.a);
  const bool is_one_leaf = plan.parts == 1 && plan.units > 0 && plan.units <= plan.units_per_leaf;
  streams = setup.streams && scale.beta == 0.0;
  out_in_place = !streams && across && is_one_leaf && plan.vector.out == 1 && setup.store_out.is_identity() &&
                 is_aligned(out) && setup.kernels->sums == 1 && scale.alpha == 1.0 && scale.beta == 0.0;
}

}  // namespace trntensor::host
