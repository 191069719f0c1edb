// What must hold of a call before any work starts. Each check throws InvalidArgument (or Unsupported) naming the
// culprit.
#pragma once

#include <span>

#include "trntensor/dispatch/options.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor::dispatch {

/// All operands in host memory; operands on different devices are named with their devices.
void check_devices(std::span<const TensorView> operands);

/// `out` has the result's shape, distinct elements, host memory and a type that `result` may be cast to.
void check_out(const MutableTensorView& out, const Shape& shape, DType result);

/// `out` shares no byte with an operand.
void check_overlap(const MutableTensorView& out, std::span<const TensorView> operands);

/// alpha = 1 and beta = 0, which suit every contraction.
inline bool is_plain(const Scale& scale) noexcept { return scale.alpha == 1.0 && scale.beta == 0.0; }

/// alpha and beta can be held in the types that the plan computes and sums in; and where beta is not 0, so can the
/// elements of an out of type `out`, to which the sums are added.
void check_scale(const Scale& scale, const Plan::Contents& plan, DType out);

/// The target of the plan, if it has one, is kept in an out of type `out` too.
void check_target(const Plan::Contents& plan, DType out);

/// A double that float32 turns into infinity or 0.
bool leaves_float32(double value);

}  // namespace trntensor::dispatch
