// Steps whose result is rounded stochastically.
#pragma once

#include "trntensor/host/double_double_step.hpp"

namespace trntensor::host {

/// Prepares a step with `stochastic`: the result is computed block by block, in the accumulator's type and in two parts
/// where sums are compensated twice, into a workspace of 4 MiB at most, and rounded from there into `out` as
/// stochastic_rounding.hpp says. The index of an element is its place in the C order of the result's labels, so the
/// layout of `out`, routes, kernels and threads have no part in the choice. beta * out is added to the sums before they
/// are rounded.
/// Sums themselves do not depend on threads or on the layout of `out`, but in their last bits on route and kernel.
/// `prepare` prepares a step without `stochastic`; the accumulator is float64 or complex128.
std::unique_ptr<const PreparedStep> prepare_stochastic(const StepProblem& problem, const PrepareStep& prepare);

}  // namespace trntensor::host
