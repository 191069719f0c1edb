// The element types of a contraction: computing, summing, result.
#pragma once

#include <span>

#include "trntensor/plan/options.hpp"

namespace trntensor::plan {

struct ResultTypes {
  DType compute = DType::kFloat64;
  DType accumulator = DType::kFloat64;
  DType output = DType::kFloat64;
};

/// Compute type: `dtype`, else the promoted type of the operands. Accumulator: accumulator_type of it, with all but
/// kFast at least float64 or complex128 for floating types. Output: `output_dtype`, else the compute type.
/// Throws InvalidArgument when an operand or the result would be cast to another kind (naming operand and types).
ResultTypes result_types(std::span<const DType> operands, const PlanOptions& options);

/// The type sums are held in.
DType summing_type(DType compute, Precision precision);

}  // namespace trntensor::plan
