#include "trntensor/plan/result_types.hpp"

#include <fmt/format.h>

#include "trntensor/support/error.hpp"

namespace trntensor::plan {
namespace {

void check_operand(std::size_t operand, DType from, DType to) {
  if (can_cast_same_kind(from, to)) return;
  throw_invalid(fmt::format("operand {} is {}, which cannot be computed in {}: that is a lower kind of number", operand,
                            to_string(from), to_string(to)),
                {}, fmt::format("leave dtype out, or convert operand {} first", operand));
}

void check_output(DType compute, DType output) {
  if (can_cast_same_kind(compute, output)) return;
  throw_invalid(fmt::format("the result is {}, which cannot be stored as {}: that is a lower kind of number",
                            to_string(compute), to_string(output)),
                {}, fmt::format("give an output of type {}", to_string(compute)));
}

}  // namespace

DType summing_type(DType compute, Precision precision) {
  const bool is_wide = precision != Precision::kFast;
  if (is_wide && is_floating(compute)) return DType::kFloat64;
  if (is_wide && is_complex(compute)) return DType::kComplex128;
  return accumulator_type(compute);
}

ResultTypes result_types(std::span<const DType> operands, const PlanOptions& options) {
  ResultTypes types;
  types.compute = options.dtype ? *options.dtype : promote(operands);
  for (std::size_t k = 0; k < operands.size(); ++k) check_operand(k, operands[k], types.compute);
  types.output = options.output_dtype.value_or(types.compute);
  check_output(types.compute, types.output);
  types.accumulator = summing_type(types.compute, options.precision);
  return types;
}

}  // namespace trntensor::plan
