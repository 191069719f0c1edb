#include "trntensor/tensor/tensor.hpp"

#include <fmt/format.h>

#include <cstring>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/shared_memory.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor {

Tensor::Tensor() : Tensor(zeros(Shape{}, DType::kFloat64)) {}

Tensor Tensor::empty(Shape shape, DType dtype) {
  const std::int64_t size = checked_size(shape);
  const auto bytes = checked_multiply(size, static_cast<std::int64_t>(size_of(dtype)));
  if (!bytes) {
    throw_invalid(
        fmt::format("shape {} of {} takes more bytes than 63 bits can count", format_shape(shape), to_string(dtype)),
        {}, "make an extent smaller or split the tensor");
  }
  std::shared_ptr<std::byte> storage = allocate_shared_memory(static_cast<std::size_t>(*bytes));
  std::byte* const data = storage.get();
  return {std::move(storage), MutableTensorView(data, dtype, std::move(shape))};
}

Tensor Tensor::zeros(Shape shape, DType dtype) {
  Tensor result = empty(std::move(shape), dtype);
  std::memset(result.data(), 0, static_cast<std::size_t>(result.size()) * size_of(dtype));
  return result;
}

Tensor Tensor::full(Shape shape, std::complex<double> value, DType dtype) {
  Tensor result = empty(std::move(shape), dtype);
  convert_run(&value, DType::kComplex128, 0, result.data(), dtype, 1, result.size());
  return result;
}

Tensor Tensor::borrow(const MutableTensorView& memory, std::shared_ptr<void> owner) {
  return {std::move(owner), memory};
}

Tensor Tensor::clone() const { return astype(dtype()); }

Tensor Tensor::astype(DType dtype) const {
  Tensor result = empty(shape(), dtype);
  copy(view(), result.mutable_view());
  return result;
}

Tensor Tensor::permute(std::initializer_list<int> axes) const { return {storage_, view_.permute(axes)}; }
Tensor Tensor::permute(std::span<const int> axes) const { return {storage_, view_.permute(axes)}; }
Tensor Tensor::slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step) const {
  return {storage_, view_.slice(axis, start, stop, step)};
}
Tensor Tensor::select(int axis, std::int64_t index) const { return {storage_, view_.select(axis, index)}; }
Tensor Tensor::insert_axis(int axis) const { return {storage_, view_.insert_axis(axis)}; }
Tensor Tensor::broadcast_to(const Shape& shape) const { return {storage_, view_.broadcast_to(shape)}; }
Tensor Tensor::diagonal(int axis1, int axis2) const { return {storage_, view_.diagonal(axis1, axis2)}; }
Tensor Tensor::reverse(int axis) const { return {storage_, view_.reverse(axis)}; }

Tensor Tensor::reshape(const Shape& shape) const {
  if (const auto layout = reshape_without_copy(view_.layout(), shape)) {
    return {storage_, MutableTensorView(data(), dtype(), layout->shape, layout->strides, device())};
  }
  return clone().reshape(shape);
}

}  // namespace trntensor
