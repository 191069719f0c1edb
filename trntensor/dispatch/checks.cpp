#include "trntensor/dispatch/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "trntensor/plan/error_bound.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::dispatch {
namespace {

/// Elements are distinct if, by growing stride, each axis steps over everything the smaller ones span. The few
/// layouts that fail this and still have distinct elements are refused too.
bool has_distinct_elements(const MutableTensorView& view) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // |stride|, extent
  for (std::size_t d = 0; d < view.shape().size(); ++d) {
    if (view.shape()[d] == 0) return true;
    if (view.shape()[d] > 1) axes.emplace_back(std::abs(view.strides()[d]), view.shape()[d]);
  }
  std::sort(axes.begin(), axes.end());
  std::int64_t span = 0;
  for (const auto& [stride, extent] : axes) {
    if (stride <= span) return false;
    span += stride * (extent - 1);
  }
  return true;
}

void check_scalar(const char* name, std::complex<double> value, DType dtype, DType accumulator) {
  const auto refuse = [&](const char* need) {
    throw_invalid(fmt::format("{} = {}{:+}i does not fit a contraction in {}", name, value.real(), value.imag(),
                              to_string(dtype)),
                  {}, fmt::format("{} must be {}", name, need));
  };
  if (!is_complex(dtype) && value.imag() != 0) refuse("real");
  if (real_type(accumulator) == DType::kFloat32 && (leaves_float32(value.real()) || leaves_float32(value.imag()))) {
    refuse("0 or within the range of float32, in which the sums are held; float64 has a wider one");
  }
  if (dtype == DType::kBool && value.real() != 0 && value.real() != 1) refuse("0 or 1");
  if (is_integer(dtype) && (std::trunc(value.real()) != value.real() || std::abs(value.real()) > 0x1p53)) {
    refuse("a whole number between -2^53 and 2^53");
  }
}

/// Sums of type `accumulator` can be added to every element of type `out`: exactly, or both wrap.
bool holds(DType accumulator, DType out) {
  if (is_integer(accumulator) && is_integer(out)) return size_of(out) <= size_of(accumulator);
  return promote(accumulator, out) == accumulator;
}

}  // namespace

void check_devices(std::span<const TensorView> operands) {
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (operands[k].device() == operands[0].device()) continue;
    throw_invalid(fmt::format("operands are on different devices: operand 0 on {}, operand {} on {}",
                              to_string(operands[0].device()), k, to_string(operands[k].device())),
                  {}, "move all operands to one device");
  }
  if (!operands.empty() && operands[0].device().type != DeviceType::kHost) {
    throw_unsupported(
        fmt::format("operand 0 is on {}, and this build runs on the host only", to_string(operands[0].device())), {},
        "copy the operands to host memory");
  }
}

void check_out(const MutableTensorView& out, const Shape& shape, DType result) {
  if (!(out.shape() == shape)) {
    throw_invalid(fmt::format("out has shape {}, the result has {}", format_shape(out.shape()), format_shape(shape)),
                  {}, "give an out of exactly the result's shape");
  }
  if (out.device().type != DeviceType::kHost) {
    throw_invalid(fmt::format("out is on {}, the operands on host", to_string(out.device())), {},
                  "give an out in host memory");
  }
  if (!can_cast_same_kind(result, out.dtype())) {
    throw_invalid(
        fmt::format("the result is {}, which may not be cast to out's {}", to_string(result), to_string(out.dtype())),
        {}, fmt::format("give an out of type {} or another of its kind", to_string(result)));
  }
  if (!has_distinct_elements(out)) {
    throw_invalid(fmt::format("out of shape {} and strides {} has elements that share memory, or may",
                              format_shape(out.shape()), format_shape(out.strides())),
                  {}, "give an out whose elements are distinct, not a broadcast view");
  }
}

void check_overlap(const MutableTensorView& out, std::span<const TensorView> operands) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const TensorView& operand = operands[k];
    if (!may_overlap(out.bytes(), size_of(out.dtype()), out.layout(), operand.bytes(), size_of(operand.dtype()),
                     operand.layout())) {
      continue;
    }
    throw_invalid(fmt::format("out shares memory with operand {}", k), {},
                  "write to a fresh tensor, or pass a copy of the operand");
  }
}

void check_scale(const Scale& scale, const Plan::Contents& plan, DType out) {
  check_scalar("alpha", scale.alpha, plan.compute_dtype, plan.accumulator_dtype);
  check_scalar("beta", scale.beta, plan.compute_dtype, plan.accumulator_dtype);
  if (scale.beta == 0.0 || holds(plan.accumulator_dtype, out)) return;
  throw_invalid(
      fmt::format("beta is nonzero, and the elements of out, of type {}, do not fit the sums in {} that would be "
                  "added to them",
                  to_string(out), to_string(plan.accumulator_dtype)),
      {},
      fmt::format("compute in {} (dtype), or contract into an out of {} first", to_string(out),
                  to_string(plan.compute_dtype)));
}

void check_target(const Plan::Contents& plan, DType out) {
  if (!plan.target_forward_error || out == plan.output_dtype) return;
  Plan::Contents written = plan;
  written.output_dtype = out;
  const double bound = plan::error_bound(written);
  if (bound <= *plan.target_forward_error) return;
  throw_invalid(fmt::format("out is {}, in which the error may be {:.3g} sum |a b|; target_forward_error is {}",
                            to_string(out), bound, *plan.target_forward_error),
                {}, fmt::format("give an out of type {}, or plan for a larger error", to_string(plan.output_dtype)));
}

bool leaves_float32(double value) {
  const auto rounded = static_cast<float>(value);
  return std::isfinite(value) && value != 0 && (rounded == 0 || std::isinf(rounded));
}

}  // namespace trntensor::dispatch
