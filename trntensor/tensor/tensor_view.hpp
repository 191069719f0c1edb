// Non-owning views over any memory: read-only and writable.
#pragma once

#include <cstddef>
#include <type_traits>

#include "trntensor/tensor/device.hpp"
#include "trntensor/tensor/dtype.hpp"
#include "trntensor/tensor/dtype_traits.hpp"
#include "trntensor/tensor/layout.hpp"

namespace trntensor {

/// Pointer, element type, extents, strides and device. The memory must outlive the view; it may be unaligned.
/// `TensorView` reads, `MutableTensorView` reads and writes and converts to the former.
template <bool kMutable>
class BasicTensorView {
 public:
  using Void = std::conditional_t<kMutable, void, const void>;
  using Byte = std::conditional_t<kMutable, std::byte, const std::byte>;

  /// A view without elements, of shape (0,).
  BasicTensorView() = default;

  /// View with the given strides in elements. Throws InvalidArgument when ranks differ, an extent is negative, the
  /// element count or the span of addresses overflows, or `data` is null although there are elements.
  BasicTensorView(Void* data, DType dtype, Shape shape, Strides strides, Device device = {});

  /// C-contiguous view. Throws as above.
  BasicTensorView(Void* data, DType dtype, Shape shape, Device device = {});

  /// C-contiguous view of typed memory.
  template <typename T>
    requires(kMutable ? !std::is_const_v<T> : true)
  static BasicTensorView of(T* data, Shape shape) {
    return BasicTensorView(data, dtype_of<T>, std::move(shape));
  }

  /// A writable view is a readable one.
  template <bool kOther>
    requires(!kMutable && kOther)
  BasicTensorView(const BasicTensorView<kOther>& other)  // NOLINT(google-explicit-constructor)
      : data_(other.bytes()),
        dtype_(other.dtype()),
        device_(other.device()),
        shape_(other.shape()),
        strides_(other.strides()) {}

  [[nodiscard]] Void* data() const noexcept { return data_; }
  [[nodiscard]] Byte* bytes() const noexcept { return data_; }
  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const Strides& strides() const noexcept { return strides_; }
  [[nodiscard]] int rank() const noexcept { return static_cast<int>(shape_.size()); }
  [[nodiscard]] std::int64_t size() const noexcept;
  [[nodiscard]] bool is_contiguous() const noexcept;
  [[nodiscard]] Layout layout() const { return {shape_, strides_, 0}; }

  /// Views of the same memory; see layout.hpp for what each does and throws.
  [[nodiscard]] BasicTensorView permute(std::span<const int> axes) const;
  [[nodiscard]] BasicTensorView permute(std::initializer_list<int> axes) const;
  [[nodiscard]] BasicTensorView slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const;
  [[nodiscard]] BasicTensorView select(int axis, std::int64_t index) const;
  [[nodiscard]] BasicTensorView insert_axis(int axis) const;
  [[nodiscard]] BasicTensorView broadcast_to(const Shape& shape) const;
  [[nodiscard]] BasicTensorView diagonal(int axis1, int axis2) const;
  [[nodiscard]] BasicTensorView reverse(int axis) const;

 private:
  [[nodiscard]] BasicTensorView with(const Layout& layout) const;

  Byte* data_ = nullptr;
  DType dtype_ = DType::kFloat64;
  Device device_;
  Shape shape_{0};
  Strides strides_{1};
};

extern template class BasicTensorView<false>;
extern template class BasicTensorView<true>;

using TensorView = BasicTensorView<false>;
using MutableTensorView = BasicTensorView<true>;

}  // namespace trntensor
