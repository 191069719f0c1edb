// From a call to its plan: through the cache, else parsed and planned.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "trntensor/dispatch/options.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor::dispatch {

/// The shape of an operand as the spec was made for it (1 where the axis broadcasts).
Shape planned_shape(const Spec& spec, std::size_t operand);

/// The plan of a call, from the cache when it was made before. Throws as parse_spec and make_plan do.
std::shared_ptr<const Plan> find_plan(std::string_view subscripts, std::span<const TensorView> operands,
                                      const EinsumOptions& options);

/// The same for a spec, as the interleaved form gives it.
std::shared_ptr<const Plan> find_plan(const Spec& spec, std::span<const TensorView> operands,
                                      const EinsumOptions& options);

}  // namespace trntensor::dispatch
