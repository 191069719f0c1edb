#include "trntensor/tensor/tensor_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

constexpr std::int64_t kLargestStride = std::numeric_limits<std::int64_t>::max() / 16;  // of 16-byte elements

// A stride that is never taken may be anything for those who hand it over; here nothing may overflow by it.
Strides taken_strides(const Shape& shape, Strides strides) {
  for (std::size_t axis = 0; axis < std::min(shape.size(), strides.size()); ++axis) {
    if (shape[axis] <= 1 && std::abs(strides[axis] / 2) > kLargestStride / 2) strides[axis] = 0;
  }
  return strides;
}

// The elements must lie within 63 bits of bytes around the first one, or address arithmetic would wrap.
void check_reach(const Shape& shape, const Strides& strides, std::size_t item) {
  auto reach = static_cast<std::int64_t>(item);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto bytes = checked_multiply(strides[axis], static_cast<std::int64_t>(item));
    const bool fits = bytes && *bytes != std::numeric_limits<std::int64_t>::min();
    const std::int64_t steps = std::max<std::int64_t>(shape[axis], 1) - 1;
    const auto length = fits ? checked_multiply(std::abs(*bytes), steps) : std::nullopt;
    const auto total = length ? checked_add(reach, *length) : std::nullopt;
    if (!total) {
      throw_invalid(fmt::format("shape {} with strides {} of {}-byte elements reaches beyond 63 bits of addresses",
                                format_shape(shape), format_shape(strides), item),
                    fmt::format("axis {} has extent {} and stride {}", axis, shape[axis], strides[axis]),
                    "strides are in elements, not bytes; make the extent or stride smaller");
    }
    reach = *total;
  }
}

void check_view(const void* data, const Shape& shape, const Strides& strides, DType dtype) {
  if (shape.size() != strides.size()) {
    throw_invalid(fmt::format("shape {} has {} extents but there are {} strides", format_shape(shape), shape.size(),
                              strides.size()),
                  {}, "give one stride per axis");
  }
  const std::int64_t size = checked_size(shape);
  check_reach(shape, strides, size_of(dtype));
  if (data == nullptr && size > 0) {
    throw_invalid(fmt::format("the data pointer of a tensor of shape {} is null", format_shape(shape)), {},
                  "point it at the first element");
  }
}

}  // namespace

template <bool kMutable>
BasicTensorView<kMutable>::BasicTensorView(Void* data, DType dtype, Shape shape, Strides strides, Device device)
    : data_(static_cast<Byte*>(data)),
      dtype_(dtype),
      device_(device),
      shape_(std::move(shape)),
      strides_(taken_strides(shape_, std::move(strides))) {
  check_view(data, shape_, strides_, dtype);
}

template <bool kMutable>
BasicTensorView<kMutable>::BasicTensorView(Void* data, DType dtype, Shape shape, Device device)
    : data_(static_cast<Byte*>(data)),
      dtype_(dtype),
      device_(device),
      shape_(std::move(shape)),
      strides_(contiguous_strides(shape_)) {
  check_view(data, shape_, strides_, dtype);
}

template <bool kMutable>
std::int64_t BasicTensorView<kMutable>::size() const noexcept {
  return checked_product(shape_).value_or(0);  // the constructor has checked that it fits
}

template <bool kMutable>
bool BasicTensorView<kMutable>::is_contiguous() const noexcept {
  return trntensor::is_contiguous({shape_, strides_, 0});
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::with(const Layout& layout) const {
  BasicTensorView result;
  result.dtype_ = dtype_;
  result.device_ = device_;
  result.shape_ = layout.shape;
  result.strides_ = layout.strides;
  // Without elements the pointer may be null, and must not be moved.
  const bool empty = std::ranges::find(layout.shape, 0) != layout.shape.end();
  result.data_ = empty ? data_ : data_ + layout.offset * static_cast<std::int64_t>(size_of(dtype_));
  return result;
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::permute(std::span<const int> axes) const {
  return with(trntensor::permute(layout(), axes));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::permute(std::initializer_list<int> axes) const {
  return permute(std::span<const int>(axes.begin(), axes.size()));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::slice(int axis, std::int64_t start, std::int64_t stop,
                                                           std::int64_t step) const {
  return with(trntensor::slice(layout(), axis, start, stop, step));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::select(int axis, std::int64_t index) const {
  return with(trntensor::select(layout(), axis, index));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::insert_axis(int axis) const {
  return with(trntensor::insert_axis(layout(), axis));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::broadcast_to(const Shape& shape) const {
  return with(trntensor::broadcast_to(layout(), shape));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::diagonal(int axis1, int axis2) const {
  return with(trntensor::diagonal(layout(), axis1, axis2));
}

template <bool kMutable>
BasicTensorView<kMutable> BasicTensorView<kMutable>::reverse(int axis) const {
  return with(trntensor::reverse(layout(), axis));
}

template class BasicTensorView<false>;
template class BasicTensorView<true>;

}  // namespace trntensor
