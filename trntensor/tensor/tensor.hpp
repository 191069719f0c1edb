// The owning tensor: a handle on shared storage with extents and strides.
#pragma once

#include <complex>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor {

/// Copies of a Tensor share storage, as NumPy arrays do; `clone` makes an independent one. Views (slice, permute,
/// ...) are Tensors over the same storage and keep it alive. Thread-safe as std::shared_ptr is: concurrent reads are
/// fine, a write needs that nobody else reads.
class Tensor {
 public:
  /// A rank-0 float64 zero.
  Tensor();

  Tensor(const Tensor&) = default;
  Tensor& operator=(const Tensor&) = default;
  /// A tensor that was moved from has shape (0,) and no memory.
  Tensor(Tensor&& other) noexcept
      : storage_(std::move(other.storage_)), view_(std::exchange(other.view_, MutableTensorView())) {}
  Tensor& operator=(Tensor&& other) noexcept {
    storage_ = std::move(other.storage_);
    view_ = std::exchange(other.view_, MutableTensorView());
    return *this;
  }
  ~Tensor() = default;

  /// Uninitialised, zero-filled and constant C-contiguous tensors. Throw InvalidArgument for a negative extent or a
  /// size beyond 63 bits, OutOfMemory when the memory is not to be had.
  static Tensor empty(Shape shape, DType dtype);
  static Tensor zeros(Shape shape, DType dtype);
  static Tensor full(Shape shape, std::complex<double> value, DType dtype);

  /// C-contiguous tensor of the values, in row-major order. Throws InvalidArgument when the count differs.
  template <Storable T>
  static Tensor from_values(Shape shape, std::span<const T> values) {
    return from_bytes(std::move(shape), dtype_of<T>, values.data(), values.size());
  }
  template <Storable T>
  static Tensor from_values(Shape shape, std::initializer_list<T> values) {
    return from_values<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }
  template <Storable T>
  static Tensor scalar(T value) {
    return from_values<T>(Shape{}, std::span<const T>(&value, 1));
  }

  /// Memory that belongs to somebody else; `owner` (may be empty) is kept alive as long as the tensor or a view of it.
  static Tensor borrow(const MutableTensorView& memory, std::shared_ptr<void> owner = {});

  [[nodiscard]] TensorView view() const noexcept { return view_; }
  [[nodiscard]] MutableTensorView mutable_view() const noexcept { return view_; }
  operator TensorView() const noexcept { return view_; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] DType dtype() const noexcept { return view_.dtype(); }
  [[nodiscard]] Device device() const noexcept { return view_.device(); }
  [[nodiscard]] const Shape& shape() const noexcept { return view_.shape(); }
  [[nodiscard]] const Strides& strides() const noexcept { return view_.strides(); }
  [[nodiscard]] int rank() const noexcept { return view_.rank(); }
  [[nodiscard]] std::int64_t size() const noexcept { return view_.size(); }
  [[nodiscard]] std::int64_t extent(int axis) const { return view_.shape()[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] bool is_contiguous() const noexcept { return view_.is_contiguous(); }
  [[nodiscard]] void* data() const noexcept { return view_.data(); }

  /// Typed pointer to the first element. Throws InvalidArgument when T is not the element type, the data is not
  /// aligned for it, or the memory is not on the host.
  template <typename T>
  [[nodiscard]] T* data_as() const {
    return static_cast<T*>(checked_data(dtype_of<T>, alignof(T)));
  }

  /// The element at the indices; negative ones count from the end. Throws InvalidArgument as `data_as` does, and for
  /// a wrong number of indices or one that is out of range.
  template <typename T>
  [[nodiscard]] T& at(std::initializer_list<std::int64_t> indices) const {
    return *static_cast<T*>(checked_element(dtype_of<T>, alignof(T), indices));
  }

  /// The only element of a one-element tensor, of any type, converted to T. Throws InvalidArgument when there are
  /// more or none.
  template <Storable T>
  [[nodiscard]] T item() const;

  /// All elements in row-major order, converted to T.
  template <Storable T>
  [[nodiscard]] std::vector<T> to_vector() const;

  /// An independent C-contiguous copy; `astype` also converts (round to nearest even, floats to integers truncate).
  [[nodiscard]] Tensor clone() const;
  [[nodiscard]] Tensor astype(DType dtype) const;

  /// Tensors over the same storage; see TensorView.
  [[nodiscard]] Tensor permute(std::initializer_list<int> axes) const;
  [[nodiscard]] Tensor permute(std::span<const int> axes) const;
  [[nodiscard]] Tensor slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const;
  [[nodiscard]] Tensor select(int axis, std::int64_t index) const;
  [[nodiscard]] Tensor insert_axis(int axis) const;
  [[nodiscard]] Tensor broadcast_to(const Shape& shape) const;
  [[nodiscard]] Tensor diagonal(int axis1, int axis2) const;
  [[nodiscard]] Tensor reverse(int axis) const;
  /// Over the same storage when the strides allow it, else a copy.
  [[nodiscard]] Tensor reshape(const Shape& shape) const;

 private:
  Tensor(std::shared_ptr<void> storage, MutableTensorView view)
      : storage_(std::move(storage)), view_(std::move(view)) {}

  static Tensor from_bytes(Shape shape, DType dtype, const void* values, std::size_t count);
  [[nodiscard]] void* checked_data(DType expected, std::size_t alignment) const;
  [[nodiscard]] void* checked_element(DType expected, std::size_t alignment,
                                      std::initializer_list<std::int64_t> indices) const;

  std::shared_ptr<void> storage_;
  MutableTensorView view_;
};

}  // namespace trntensor
