#include "trntensor/dispatch/planning.hpp"

#include <string>

#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/plan/plan_cache.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::dispatch {
namespace {

PlanOptions plan_options(const EinsumOptions& options, std::optional<DType> output_dtype) {
  PlanOptions asked;
  asked.method = options.optimize;
  asked.path = options.path;
  asked.dtype = options.dtype;
  asked.output_dtype = output_dtype;
  asked.precision = options.precision;
  asked.target_forward_error = options.target_forward_error;
  asked.memory_limit = options.memory_limit;
  asked.stop = options.stop;
  return asked;
}

/// What a caller wrote, for the cache's key.
struct Notation {
  plan::NotationForm form;
  std::string_view text;
};

/// The cached plan of `notation`, or one for the spec that `make_spec` returns.
template <typename MakeSpec>
std::shared_ptr<plan::CachedPlan> find_or_make(const Notation& notation, std::span<const TensorView> operands,
                                               const EinsumOptions& options, std::optional<DType> output_dtype,
                                               MakeSpec&& make_spec) {
  const Executor& executor = executor_or_default(options.executor);
  const PlanOptions asked = plan_options(options, output_dtype);
  const std::string key = plan::cache_key(notation.form, notation.text, operands, asked, executor.name());
  if (auto cached = plan::find_cached(key)) return cached;
  std::vector<DType> dtypes;
  for (const TensorView& operand : operands) dtypes.push_back(operand.dtype());
  auto made = std::make_shared<plan::CachedPlan>(make_plan(make_spec(), dtypes, asked, executor));
  plan::keep_cached(key, made);
  return made;
}

std::shared_ptr<const Plan> plan_of(const std::shared_ptr<plan::CachedPlan>& cached) {
  return {cached, &cached->plan()};
}

}  // namespace

std::vector<Shape> shapes_of(std::span<const TensorView> operands) {
  std::vector<Shape> shapes;
  shapes.reserve(operands.size());
  for (const TensorView& operand : operands) shapes.push_back(operand.shape());
  return shapes;
}

std::shared_ptr<plan::CachedPlan> find_cached_plan(std::string_view subscripts, std::span<const TensorView> operands,
                                                   const EinsumOptions& options, std::optional<DType> output_dtype) {
  return find_or_make({plan::NotationForm::kText, subscripts}, operands, options, output_dtype,
                      [&] { return parse_spec(subscripts, shapes_of(operands)); });
}

std::shared_ptr<const Plan> find_plan(std::string_view subscripts, std::span<const TensorView> operands,
                                      const EinsumOptions& options, std::optional<DType> output_dtype) {
  return plan_of(find_cached_plan(subscripts, operands, options, output_dtype));
}

std::shared_ptr<const Plan> find_plan(const Spec& spec, std::span<const TensorView> operands,
                                      const EinsumOptions& options, std::optional<DType> output_dtype) {
  // Plans print the names of their labels, so specs that differ in names alone have plans of their own.
  std::string text = spec.to_string();
  for (const std::string& name : spec.names) text.append(1, ' ').append(name);
  return plan_of(
      find_or_make({plan::NotationForm::kNumbers, text}, operands, options, output_dtype, [&] { return spec; }));
}

std::optional<DType> out_dtype(const EinsumOptions& options) {
  return options.out ? std::optional(options.out->dtype()) : std::nullopt;
}

}  // namespace trntensor::dispatch
