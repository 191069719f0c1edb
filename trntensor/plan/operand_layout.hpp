// How an operand of a step lies in memory.
#pragma once

#include <cstdint>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/inline_vector.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor {

/// One axis of an operand in memory. Labels are distinct within an operand: a diagonal is one axis whose stride is the
/// sum of the strides, a broadcast axis is left out.
struct Axis {
  Label label = 0;
  std::int64_t extent = 0;
  std::int64_t stride = 0;  ///< in elements, any sign, 0 allowed in inputs
};

/// An operand or the result of a step: its storage type, and how its elements are taken.
struct OperandLayout {
  DType dtype = DType::kFloat64;    ///< storage
  DType load_as = DType::kFloat64;  ///< inputs: each element is rounded to this type before it is used
  InlineVector<Axis, 8> axes;
};

/// The axis of a label, or null.
inline const Axis* find_axis(const OperandLayout& layout, Label label) noexcept {
  for (const Axis& axis : layout.axes) {
    if (axis.label == label) return &axis;
  }
  return nullptr;
}

/// Whether an operand depends on a label.
inline bool has_label(const OperandLayout& layout, Label label) noexcept { return find_axis(layout, label) != nullptr; }

/// The stride of a label, 0 for one that the operand does not depend on.
inline std::int64_t stride_of(const OperandLayout& layout, Label label) noexcept {
  const Axis* const axis = find_axis(layout, label);
  return axis == nullptr ? 0 : axis->stride;
}

/// Gives the axes the strides of C order; returns the number of elements. Throws OutOfMemory when the bytes of two
/// complex128 for each element leave 63 bits, extents of 0 taken as 1: also a step without elements has strides.
std::int64_t pack_axes(OperandLayout& layout);

}  // namespace trntensor
