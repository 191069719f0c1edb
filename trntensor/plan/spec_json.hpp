// The Spec inside a plan's JSON.
#pragma once

#include "trntensor/einsum/spec.hpp"
#include "trntensor/plan/json_field.hpp"

namespace trntensor::plan {

/// Rebuilds the spec from `labels`, `extents`, `inputs`, `shapes` and `output` of a plan, and checks `subscripts`.
/// Throws InvalidArgument naming the field that is wrong.
Spec read_spec(const JsonField& plan);

}  // namespace trntensor::plan
