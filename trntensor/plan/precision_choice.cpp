#include "trntensor/plan/precision_choice.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "trntensor/plan/error_bound.hpp"
#include "trntensor/plan/result_types.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

constexpr std::array kCheapestFirst{Precision::kFast, Precision::kKahan, Precision::kDoubleDouble};

void check_number(double target) {
  if (std::isfinite(target) && target >= 0) return;
  throw_invalid(fmt::format("target_forward_error is {}", target), {},
                "give a finite number that is not negative, such as 1e-6");
}

/// The largest single error of the types, which no precision makes smaller.
std::string limit_of(const Plan::Contents& best) {
  const double result = plan::unit_roundoff(best.output_dtype);
  const double compute = plan::unit_roundoff(best.compute_dtype);
  for (std::size_t k = 0; compute >= result && k < best.input_dtypes.size(); ++k) {
    const DType given = best.input_dtypes[k];
    if (promote(given, best.compute_dtype) == best.compute_dtype) continue;
    return fmt::format("rounding operand {} from {} to {} alone may cost {:.3g}", k, to_string(given),
                       to_string(best.compute_dtype), compute);
  }
  return fmt::format("rounding the result to {} alone may cost {:.3g}", to_string(best.output_dtype), result);
}

[[noreturn]] void refuse(double target, const Plan::Contents& best) {
  // Rounded up, so that it can be asked for as it is printed.
  const std::string bound = fmt::format("{:.3g}", best.error_bound * 1.006);
  const bool is_widest = real_type(best.output_dtype) == DType::kFloat64 && best.compute_dtype == best.output_dtype;
  const std::string wider = is_complex(best.compute_dtype) ? "complex128" : "float64";
  throw_invalid(fmt::format("target_forward_error {} cannot be met: the least bound is {}, with precision \"{}\"",
                            target, bound, to_string(best.precision)),
                limit_of(best),
                is_widest
                    ? fmt::format("ask for {} or more; no type of results is wider", bound)
                    : fmt::format("ask for {} or more, or compute in {} and keep the result in it", bound, wider));
}

}  // namespace

PrecisionChoice select_precision_for_error(DType dtype, std::int64_t terms, double target_forward_error) {
  if (terms < 0) {
    throw_invalid(fmt::format("a sum of {} terms", terms), {}, "give the number of products of each sum");
  }
  if (!is_dtype(dtype)) {
    throw_invalid(
        fmt::format("the element type has the value {}, which is outside its enumeration", static_cast<int>(dtype)), {},
        "use the enumerators of DType");
  }
  check_number(target_forward_error);
  const Plan::Contents chosen = plan::choose_precision(target_forward_error, [&](Precision precision) {
    Plan::Contents contents;
    contents.spec.extents = {terms};
    contents.input_dtypes = {dtype, dtype};
    contents.compute_dtype = contents.output_dtype = dtype;
    contents.accumulator_dtype = plan::summing_type(dtype, precision);
    contents.precision = precision;
    PlanStep step;
    step.inputs = {{0}, {0}};
    step.contracted = {0};
    contents.steps = {step};
    contents.error_bound = plan::error_bound(contents);
    return contents;
  });
  return {chosen.precision, chosen.error_bound};
}

namespace plan {

void check_target(const PlanOptions& options) {
  if (!options.target_forward_error) return;
  check_number(*options.target_forward_error);
  if (options.precision == Precision::kFast) return;
  throw_invalid(fmt::format("target_forward_error chooses the precision, and precision \"{}\" is given too",
                            to_string(options.precision)),
                {}, "leave one of the two out");
}

Plan::Contents choose_precision(double target, const std::function<Plan::Contents(Precision)>& plan_in) {
  std::optional<Plan::Contents> best;
  for (const Precision precision : kCheapestFirst) {
    Plan::Contents contents = plan_in(precision);
    if (contents.error_bound <= target) return contents;
    if (!best || contents.error_bound < best->error_bound) best = std::move(contents);
  }
  refuse(target, *best);
}

}  // namespace plan
}  // namespace trntensor
