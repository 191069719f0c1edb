// Which precision is enough for an error.
#pragma once

#include <cstdint>
#include <functional>

#include "trntensor/plan/plan.hpp"

namespace trntensor {

/// A precision and what it guarantees.
struct PrecisionChoice {
  Precision precision = Precision::kFast;
  double error_bound = 0;  ///< |result - exact| <= error_bound * sum |a b|
};

/// The cheapest precision for sums of `terms` products of two numbers of type `dtype`, in results of that type, whose
/// error is certainly below target_forward_error * sum |a b|: kFast, kKahan or kDoubleDouble (stochastic rounding has
/// the larger worst case). Bounds are those of Plan::error_bound, with room for alpha and beta.
/// Throws InvalidArgument for a target that the type cannot hold, naming the best bound that can be had, and for one
/// that is negative or not finite, or a negative number of terms, or a value that is no DType.
PrecisionChoice select_precision_for_error(DType dtype, std::int64_t terms, double target_forward_error);

namespace plan {

/// Throws InvalidArgument when the target is no error, or a precision is given with it.
void check_target(const PlanOptions& options);

/// The first of the precisions, cheapest first, whose plan keeps the target. `plan_in` makes the plan for one, error
/// bound included. Throws InvalidArgument as above when none does.
Plan::Contents choose_precision(double target, const std::function<Plan::Contents(Precision)>& plan_in);

}  // namespace plan
}  // namespace trntensor
