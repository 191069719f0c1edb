// Conversion of strided runs and whole tensors from any element type to any other.
#pragma once

#include "trntensor/tensor/convert_element.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor {

/// Copies `count` elements with conversion; strides in elements, memory may be unaligned and may not overlap.
void convert_run(const void* source, DType source_dtype, std::int64_t source_stride, void* target, DType target_dtype,
                 std::int64_t target_stride, std::int64_t count) noexcept;

/// The function behind `convert_run` for a pair of types, for loops over many runs; strides in bytes.
using ConvertRun = void (*)(const std::byte* source, std::int64_t source_step, std::byte* target,
                            std::int64_t target_step, std::int64_t count) noexcept;
ConvertRun convert_run_function(DType source_dtype, DType target_dtype) noexcept;

/// Copies a tensor of any strides into another of the same shape, converting. Where the two share memory the result
/// is as if the source had been copied aside first. Throws InvalidArgument when the shapes differ or the memory is
/// not on the host.
void copy(const TensorView& source, const MutableTensorView& target);

}  // namespace trntensor
