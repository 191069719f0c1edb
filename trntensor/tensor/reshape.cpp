// Which reshapes of a strided tensor need no copy.
#include <fmt/format.h>

#include <numeric>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/layout.hpp"

namespace trntensor {
namespace {

// A run of old axes [first_old, last_old) and new axes [first_new, last_new) with the same number of elements.
struct Group {
  std::size_t first_old, last_old, first_new, last_new;
};

// Grows the group until both sides have the same number of elements; the extents are all positive and their total
// products are equal, so neither side runs out before that.
void balance(Group& group, const Shape& old_shape, std::span<const std::int64_t> new_shape) {
  std::int64_t old_count = old_shape[group.last_old++];
  std::int64_t new_count = new_shape[group.last_new++];
  while (old_count != new_count) {
    if (old_count < new_count) {
      old_count *= old_shape[group.last_old++];
    } else {
      new_count *= new_shape[group.last_new++];
    }
  }
}

bool runs_together(const Group& group, const Layout& layout) {
  for (std::size_t axis = group.first_old; axis + 1 < group.last_old; ++axis) {
    if (layout.strides[axis] != layout.strides[axis + 1] * layout.shape[axis + 1]) return false;
  }
  return true;
}

Layout without_ones(const Layout& layout) {
  Layout result{{}, {}, layout.offset};
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    if (layout.shape[axis] == 1) continue;
    result.shape.push_back(layout.shape[axis]);
    result.strides.push_back(layout.strides[axis]);
  }
  return result;
}

}  // namespace

std::optional<Layout> reshape_without_copy(const Layout& layout, std::span<const std::int64_t> shape) {
  const std::int64_t old_size = checked_size(layout.shape);
  const std::int64_t new_size = checked_size(shape);
  if (old_size != new_size) {
    throw_invalid(fmt::format("shape {} ({} elements) cannot be reshaped to {} ({} elements)",
                              format_shape(layout.shape), old_size, format_shape(shape), new_size),
                  {}, "the number of elements must stay the same");
  }
  Layout result{Shape(shape), contiguous_strides(shape), layout.offset};
  if (new_size <= 1) return result;
  const Layout old = without_ones(layout);
  Group group{0, 0, 0, 0};
  while (group.last_old < old.shape.size()) {
    group.first_old = group.last_old;
    group.first_new = group.last_new;
    balance(group, old.shape, shape);
    if (!runs_together(group, old)) return std::nullopt;
    std::int64_t step = old.strides[group.last_old - 1];
    for (std::size_t axis = group.last_new; axis-- > group.first_new;) {
      result.strides[axis] = step;
      step *= shape[axis];
    }
  }
  return result;
}

}  // namespace trntensor
