// From a call to its plan: through the cache, else parsed and planned.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trntensor/dispatch/options.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/plan/plan_cache.hpp"

namespace trntensor::dispatch {

std::vector<Shape> shapes_of(std::span<const TensorView> operands);

/// The plan of a call, from the cache when it was made before. The result is rounded to `output_dtype`, if given;
/// `options.out` is not looked at. Throws as parse_spec and make_plan do.
std::shared_ptr<plan::CachedPlan> find_cached_plan(std::string_view subscripts, std::span<const TensorView> operands,
                                                   const EinsumOptions& options,
                                                   std::optional<DType> output_dtype = {});

/// The same for those who do not need to know whether the cache still has it.
std::shared_ptr<const Plan> find_plan(std::string_view subscripts, std::span<const TensorView> operands,
                                      const EinsumOptions& options, std::optional<DType> output_dtype = {});

/// The same for a spec, as the interleaved form gives it.
std::shared_ptr<const Plan> find_plan(const Spec& spec, std::span<const TensorView> operands,
                                      const EinsumOptions& options, std::optional<DType> output_dtype = {});

/// The type of `options.out`, if there is one.
std::optional<DType> out_dtype(const EinsumOptions& options);

}  // namespace trntensor::dispatch
