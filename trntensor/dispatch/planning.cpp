#include "trntensor/dispatch/planning.hpp"

#include <string>

#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/plan/plan_cache.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::dispatch {
namespace {

PlanOptions plan_options(const EinsumOptions& options) {
  PlanOptions asked;
  asked.method = options.optimize;
  asked.path = options.path;
  asked.dtype = options.dtype;
  if (options.out) asked.output_dtype = options.out->dtype();
  asked.precision = options.precision;
  asked.memory_limit = options.memory_limit;
  asked.stop = options.stop;
  return asked;
}

std::vector<Shape> shapes_of(std::span<const TensorView> operands) {
  std::vector<Shape> shapes;
  shapes.reserve(operands.size());
  for (const TensorView& operand : operands) shapes.push_back(operand.shape());
  return shapes;
}

/// The cached plan of `notation`, or one for the spec that `make_spec` returns.
template <typename MakeSpec>
std::shared_ptr<const Plan> find_or_make(std::string_view notation, std::span<const TensorView> operands,
                                         const EinsumOptions& options, MakeSpec&& make_spec) {
  const Executor& executor = options.executor != nullptr ? *options.executor : default_executor();
  const PlanOptions asked = plan_options(options);
  const std::string key = plan::cache_key(notation, operands, asked, executor.name());
  if (auto cached = plan::find_cached(key)) return cached;
  std::vector<DType> dtypes;
  for (const TensorView& operand : operands) dtypes.push_back(operand.dtype());
  auto made = std::make_shared<const Plan>(make_plan(make_spec(), dtypes, asked, executor));
  plan::keep_cached(key, made);
  return made;
}

}  // namespace

Shape planned_shape(const Spec& spec, std::size_t operand) {
  Shape shape;
  for (std::size_t d = 0; d < spec.axes[operand].size(); ++d) {
    const auto label = static_cast<std::size_t>(spec.axes[operand][d]);
    shape.push_back(spec.broadcast[operand][d] ? 1 : spec.extents[label]);
  }
  return shape;
}

std::shared_ptr<const Plan> find_plan(std::string_view subscripts, std::span<const TensorView> operands,
                                      const EinsumOptions& options) {
  return find_or_make(subscripts, operands, options, [&] { return parse_spec(subscripts, shapes_of(operands)); });
}

std::shared_ptr<const Plan> find_plan(const Spec& spec, std::span<const TensorView> operands,
                                      const EinsumOptions& options) {
  // The mark keeps a spec of numbered labels apart from the same letters written by hand: their plans print other
  // names.
  return find_or_make(std::string("#").append(spec.to_string()), operands, options, [&] { return spec; });
}

}  // namespace trntensor::dispatch
