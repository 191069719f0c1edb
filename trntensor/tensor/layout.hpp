// Where the elements of a tensor lie: extents and strides, and the views that need no copy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "trntensor/support/inline_vector.hpp"

namespace trntensor {

/// Extents or strides, one per axis; up to 8 without an allocation.
using Dims = InlineVector<std::int64_t, 8>;
using Shape = Dims;
using Strides = Dims;  ///< in elements; negative and zero allowed

/// Extents, strides and the element the first index points at, relative to some base pointer.
struct Layout {
  Shape shape;
  Strides strides;
  std::int64_t offset = 0;
};

/// "(2, 3, 4)", as NumPy prints shapes.
std::string format_shape(std::span<const std::int64_t> shape);

/// C-order strides of a shape.
Strides contiguous_strides(std::span<const std::int64_t> shape);

/// Number of elements. Throws InvalidArgument when an extent is negative or the product of the extents that are not 0
/// leaves 63 bits (also when another extent is 0, as in NumPy, so that strides are always computable).
std::int64_t checked_size(std::span<const std::int64_t> shape);

/// True when the elements lie in C order without gaps (extents of 1 may have any stride).
bool is_contiguous(const Layout& layout) noexcept;

/// Views. Each throws InvalidArgument that names the axis or index that is out of range; negative axes and indices
/// count from the end. The bounds of `slice` are Python's: negative ones count from the end, what lies outside is
/// clamped, `stop` is exclusive (`slice(l, 0, n - 1, -n - 1, -1)` reverses an axis of n).
Layout permute(const Layout& layout, std::span<const int> axes);  ///< result axis d = axis axes[d]
Layout slice(const Layout& layout, int axis, std::int64_t start, std::int64_t stop, std::int64_t step);
Layout select(const Layout& layout, int axis, std::int64_t index);  ///< drops the axis
Layout insert_axis(const Layout& layout, int axis);                 ///< extent 1, so that it becomes axis `axis`
Layout reverse(const Layout& layout, int axis);                     ///< back to front
Layout broadcast_to(const Layout& layout, std::span<const std::int64_t> shape);  ///< NumPy's rules, stride 0
/// axis2 dropped, axis1 runs along both; their extents must be equal.
Layout diagonal(const Layout& layout, int axis1, int axis2);

/// The layout with the new shape over the same memory, or nothing when that needs a copy. Throws InvalidArgument when
/// the number of elements differs.
std::optional<Layout> reshape_without_copy(const Layout& layout, std::span<const std::int64_t> shape);

/// True when two layouts over byte addresses can touch a common byte. Exact for the usual views (slices, steps,
/// transposes of one buffer); when the search gets too long the answer is true.
bool may_overlap(const std::byte* a, std::size_t a_item, const Layout& a_layout, const std::byte* b, std::size_t b_item,
                 const Layout& b_layout);

}  // namespace trntensor
