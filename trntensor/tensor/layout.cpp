#include "trntensor/tensor/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

std::size_t checked_axis(int axis, std::size_t rank, const char* operation) {
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t index = axis < 0 ? axis + count : axis;
  if (index < 0 || index >= count) {
    throw_invalid(
        fmt::format("{}: axis {} does not exist in a tensor of rank {}", operation, axis, rank), {},
        rank == 0 ? "a rank-0 tensor has no axes" : fmt::format("give an axis from {} to {}", -count, count - 1));
  }
  return static_cast<std::size_t>(index);
}

void drop_axis(Layout& layout, std::size_t axis) {
  const auto position = static_cast<std::ptrdiff_t>(axis);
  layout.shape.erase(layout.shape.begin() + position);
  layout.strides.erase(layout.strides.begin() + position);
}

// One bound of a Python slice: from the end when negative, then into [low, high].
std::int64_t clamp_bound(std::int64_t bound, std::int64_t extent, std::int64_t low, std::int64_t high) {
  if (bound < 0) bound = bound < -extent ? low : bound + extent;
  return std::clamp(bound, low, high);
}

}  // namespace

std::string format_shape(std::span<const std::int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Strides contiguous_strides(std::span<const std::int64_t> shape) {
  Strides strides(shape.size());
  std::uint64_t step = 1;  // unsigned: the shape may not have been checked yet
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(step);
    if (shape[axis] != 0) step *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

std::int64_t checked_size(std::span<const std::int64_t> shape) {
  std::int64_t product = 1;
  bool empty = false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t extent = shape[axis];
    if (extent < 0) {
      throw_invalid(fmt::format("shape {}: extent {} of axis {} is negative", format_shape(shape), extent, axis), {},
                    "extents are 0 or more");
    }
    empty |= extent == 0;
    const auto grown = checked_multiply(product, std::max<std::int64_t>(extent, 1));
    if (!grown) {
      throw_invalid(fmt::format("shape {} has more elements than 63 bits can count", format_shape(shape)), {},
                    "make an extent smaller or split the tensor");
    }
    product = *grown;
  }
  return empty ? 0 : product;
}

bool is_contiguous(const Layout& layout) noexcept {
  if (std::ranges::find(layout.shape, 0) != layout.shape.end()) return true;
  std::int64_t step = 1;
  for (std::size_t axis = layout.shape.size(); axis-- > 0;) {
    if (layout.shape[axis] == 1) continue;
    if (layout.strides[axis] != step) return false;
    step *= layout.shape[axis];
  }
  return true;
}

Layout permute(const Layout& layout, std::span<const int> axes) {
  const std::size_t rank = layout.shape.size();
  if (axes.size() != rank) {
    throw_invalid(fmt::format("permute: {} axes given for a tensor of rank {}", axes.size(), rank), {},
                  "name each axis once");
  }
  Layout result{Shape(rank), Strides(rank), layout.offset};
  InlineVector<bool, 8> seen(rank, false);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t axis = checked_axis(axes[d], rank, "permute");
    if (seen[axis]) throw_invalid(fmt::format("permute: axis {} is named twice", axes[d]), {}, "name each axis once");
    seen[axis] = true;
    result.shape[d] = layout.shape[axis];
    result.strides[d] = layout.strides[axis];
  }
  return result;
}

Layout slice(const Layout& layout, int axis, std::int64_t start, std::int64_t stop, std::int64_t step) {
  const std::size_t a = checked_axis(axis, layout.shape.size(), "slice");
  if (step == 0) throw_invalid(fmt::format("slice of axis {}: the step is 0", axis), {}, "give a step other than 0");
  const std::int64_t extent = layout.shape[a];
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? extent : extent - 1;
  start = clamp_bound(start, extent, low, high);
  stop = clamp_bound(stop, extent, low, high);
  const std::int64_t span = step > 0 ? stop - start : start - stop;
  const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
  Layout result = layout;
  result.shape[a] = span <= 0 ? 0 : static_cast<std::int64_t>((static_cast<std::uint64_t>(span) - 1) / stride) + 1;
  if (result.shape[a] > 0) result.offset += start * layout.strides[a];
  // With one element the stride is never used, and a huge step could not be multiplied.
  if (result.shape[a] > 1) result.strides[a] *= step;
  return result;
}

Layout select(const Layout& layout, int axis, std::int64_t index) {
  const std::size_t a = checked_axis(axis, layout.shape.size(), "select");
  const std::int64_t extent = layout.shape[a];
  const std::int64_t from_start = index < 0 ? index + extent : index;
  if (from_start < 0 || from_start >= extent) {
    throw_invalid(fmt::format("select: index {} is outside axis {} of extent {}", index, axis, extent), {},
                  extent == 0 ? "the axis is empty" : fmt::format("give an index from {} to {}", -extent, extent - 1));
  }
  Layout result = layout;
  result.offset += from_start * layout.strides[a];
  drop_axis(result, a);
  return result;
}

Layout insert_axis(const Layout& layout, int axis) {
  const auto position = static_cast<std::ptrdiff_t>(checked_axis(axis, layout.shape.size() + 1, "insert_axis"));
  Layout result = layout;
  result.shape.insert(result.shape.begin() + position, 1);
  result.strides.insert(result.strides.begin() + position, 0);
  return result;
}

Layout reverse(const Layout& layout, int axis) {
  const std::size_t a = checked_axis(axis, layout.shape.size(), "reverse");
  Layout result = layout;
  if (layout.shape[a] > 0) result.offset += (layout.shape[a] - 1) * layout.strides[a];
  result.strides[a] = -layout.strides[a];
  return result;
}

Layout broadcast_to(const Layout& layout, std::span<const std::int64_t> shape) {
  checked_size(shape);
  const std::size_t rank = layout.shape.size();
  const auto fail = [&] {
    throw_invalid(fmt::format("shape {} cannot be broadcast to {}", format_shape(layout.shape), format_shape(shape)),
                  {}, "aligned at the last axis, each extent must be equal or 1");
  };
  if (rank > shape.size()) fail();
  const std::size_t added = shape.size() - rank;
  Layout result{Shape(shape), Strides(shape.size(), 0), layout.offset};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = layout.shape[axis];
    if (extent == shape[axis + added]) {
      result.strides[axis + added] = layout.strides[axis];
    } else if (extent != 1) {
      fail();
    }
  }
  return result;
}

Layout diagonal(const Layout& layout, int axis1, int axis2) {
  const std::size_t a = checked_axis(axis1, layout.shape.size(), "diagonal");
  const std::size_t b = checked_axis(axis2, layout.shape.size(), "diagonal");
  if (a == b) throw_invalid(fmt::format("diagonal: axis {} is named twice", axis1), {}, "name two different axes");
  if (layout.shape[a] != layout.shape[b]) {
    throw_invalid(fmt::format("diagonal: axis {} has extent {} and axis {} has extent {}", axis1, layout.shape[a],
                              axis2, layout.shape[b]),
                  {}, "slice the longer axis first");
  }
  Layout result = layout;
  // With at most one element the strides are unused, and their sum was never checked to fit.
  if (layout.shape[a] > 1) result.strides[a] += layout.strides[b];
  drop_axis(result, b);
  return result;
}

}  // namespace trntensor
