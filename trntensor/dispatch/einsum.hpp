// The front doors: contract tensors by einsum notation.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/dispatch/options.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/plan/plan_cache.hpp"
#include "trntensor/plan/precision_choice.hpp"

namespace trntensor {

/// Contracts the operands: `einsum("ij,jk->ik", {a, b})`.
///
/// Notation as in parse_spec (docs/einsum.md). The result is a new C-contiguous tensor of the promoted element type, or
/// `options.out`. 8- and 16-bit floats are summed in float32 and rounded once; integers wrap in their own width; bool
/// is OR of ANDs.
/// Cost: the multiply-adds of the plan; memory: its intermediates and a few MiB of packing buffers per thread.
/// Throws InvalidArgument for what is wrong with the call, a target that cannot be kept too, Unsupported for a device,
/// OutOfMemory, Cancelled.
Tensor einsum(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options = {});
Tensor einsum(std::string_view subscripts, std::initializer_list<TensorView> operands,
              const EinsumOptions& options = {});

/// An operand with its labels, any whole numbers or kEllipsis.
struct LabelledOperand {
  TensorView tensor;
  std::vector<std::int64_t> labels;
};

/// The interleaved form: `einsum({{a, {0, 1}}, {b, {1, 2}}}, {{0, 2}})`; without output labels the implicit output.
Tensor einsum(std::span<const LabelledOperand> operands, const std::optional<std::vector<std::int64_t>>& output = {},
              const EinsumOptions& options = {});
Tensor einsum(std::initializer_list<LabelledOperand> operands,
              const std::optional<std::vector<std::int64_t>>& output = {}, const EinsumOptions& options = {});

/// One contraction of several.
struct ContractionCall {
  std::string subscripts;
  std::vector<TensorView> operands;
};

/// Contracts one after the other, results in order. All calls are checked, planned and prepared, and their results
/// allocated, before any runs.
/// `options.out` and a nonzero beta belong to a single contraction and are refused.
std::vector<Tensor> multi_einsum(std::span<const ContractionCall> calls, const EinsumOptions& options = {});

/// The plan `einsum` would run for these operands; data is not touched.
Plan plan_contraction(std::string_view subscripts, std::span<const TensorView> operands,
                      const EinsumOptions& options = {});
Plan plan_contraction(std::string_view subscripts, std::initializer_list<TensorView> operands,
                      const EinsumOptions& options = {});

/// The precision that `einsum` takes for these operands when it is to keep target_forward_error (see EinsumOptions),
/// and the error bound of its plan. Throws as plan_contraction does, so for targets that cannot be met too.
PrecisionChoice select_precision_for_error(std::string_view subscripts, std::span<const TensorView> operands,
                                           double target_forward_error, EinsumOptions options = {});
PrecisionChoice select_precision_for_error(std::string_view subscripts, std::initializer_list<TensorView> operands,
                                           double target_forward_error, const EinsumOptions& options = {});

/// Multiply-adds of the all-at-once loop nest over every label: the product of the extents of all labels. What the
/// planned order costs is in Plan, where `estimated_flops` counts 2 per multiply-add. Exact up to 2^53.
double estimate_flops(std::string_view subscripts, std::span<const TensorView> operands);
double estimate_flops(std::string_view subscripts, std::initializer_list<TensorView> operands);

}  // namespace trntensor
