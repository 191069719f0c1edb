// Steps whose sums are compensated twice: chooses between vectors of doubles and exact sums by the numbers' range.
#pragma once

#include <functional>
#include <memory>

#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// Prepares a step for the vector kernels, which need not look at its parts.
using PrepareStep = std::function<std::unique_ptr<const PreparedStep>(const StepProblem&)>;

/// Prepares a step with `compensated` 2. Each real or imaginary part of a finite result has an error below
/// 2^-102 (|alpha| sum |a||b| + |beta out|) before it is rounded, for every length of the sum and all finite numbers:
/// - vectors of doubles where no product can leave the range of their exponents, which is decided by reading the
///   operands once before each run;
/// - where products may be too small, elements of the result that are not clear of that are computed again in ExactSum,
///   one by one, with a copy of the result in the accumulator's type as workspace;
/// - where products or sums may overflow, all elements are.
/// Where an operand has two parts, the sum runs over both, unless the step meets NaN or infinities.
/// `prepare` is kept: it must not refer to what may end before the step.
std::unique_ptr<const PreparedStep> prepare_double_double(const StepProblem& problem, const PrepareStep& prepare);

}  // namespace trntensor::host
