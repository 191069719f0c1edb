// Values in and out of tensors as C++ types.
#include <fmt/format.h>

#include <cstring>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {
namespace {

void check_on_host(const Tensor& tensor, const char* operation) {
  if (tensor.device().type == DeviceType::kHost) return;
  throw_invalid(fmt::format("{}: the tensor is on {}", operation, to_string(tensor.device())), {},
                "bring the tensor to the host first");
}

}  // namespace

Tensor Tensor::from_bytes(Shape shape, DType dtype, const void* values, std::size_t count) {
  Tensor result = empty(std::move(shape), dtype);
  if (static_cast<std::size_t>(result.size()) != count) {
    throw_invalid(fmt::format("shape {} has {} elements but {} values are given", format_shape(result.shape()),
                              result.size(), count),
                  {}, "give one value per element");
  }
  if (count > 0) std::memcpy(result.data(), values, count * size_of(dtype));
  return result;
}

void* Tensor::checked_data(DType expected, std::size_t alignment) const {
  check_on_host(*this, "typed access");
  if (dtype() != expected) {
    throw_invalid(fmt::format("a {} tensor is accessed as {}", to_string(dtype()), to_string(expected)), {},
                  fmt::format("use astype(DType) or the C++ type of {}", to_string(dtype())));
  }
  if (size() > 0 && reinterpret_cast<std::uintptr_t>(data()) % alignment != 0) {
    throw_invalid(fmt::format("the data of the {} tensor is not aligned to {} bytes", to_string(dtype()), alignment),
                  {}, "clone() the tensor, or read elements with item()");
  }
  return data();
}

void* Tensor::checked_element(DType expected, std::size_t alignment,
                              std::initializer_list<std::int64_t> indices) const {
  if (indices.size() != shape().size()) {
    throw_invalid(fmt::format("{} indices are given for a tensor of shape {}", indices.size(), format_shape(shape())),
                  {}, "give one index per axis");
  }
  Tensor element = *this;
  for (const std::int64_t index : indices) element = element.select(0, index);
  return element.checked_data(expected, alignment);
}

template <Storable T>
T Tensor::item() const {
  check_on_host(*this, "item");
  if (size() != 1) {
    throw_invalid(fmt::format("item() of a tensor of shape {}, which has {} elements", format_shape(shape()), size()),
                  {}, "select one element first");
  }
  return visit_dtype(
      dtype(), [&]<typename From>(std::type_identity<From>) { return convert_element<T>(load_element<From>(data())); });
}

template <Storable T>
std::vector<T> Tensor::to_vector() const {
  const Tensor converted = astype(dtype_of<T>);
  const auto* first = static_cast<const T*>(converted.data());
  return std::vector<T>(first, first + converted.size());
}

#define TRNTENSOR_INSTANTIATE(T)      \
  template T Tensor::item<T>() const; \
  template std::vector<T> Tensor::to_vector<T>() const;
TRNTENSOR_INSTANTIATE(bool)
TRNTENSOR_INSTANTIATE(std::int8_t)
TRNTENSOR_INSTANTIATE(std::uint8_t)
TRNTENSOR_INSTANTIATE(std::int16_t)
TRNTENSOR_INSTANTIATE(std::uint16_t)
TRNTENSOR_INSTANTIATE(std::int32_t)
TRNTENSOR_INSTANTIATE(std::uint32_t)
TRNTENSOR_INSTANTIATE(std::int64_t)
TRNTENSOR_INSTANTIATE(std::uint64_t)
TRNTENSOR_INSTANTIATE(float8_e4m3)
TRNTENSOR_INSTANTIATE(float8_e4m3fn)
TRNTENSOR_INSTANTIATE(float8_e5m2)
TRNTENSOR_INSTANTIATE(float16)
TRNTENSOR_INSTANTIATE(bfloat16)
TRNTENSOR_INSTANTIATE(float)
TRNTENSOR_INSTANTIATE(double)
TRNTENSOR_INSTANTIATE(std::complex<float>)
TRNTENSOR_INSTANTIATE(std::complex<double>)
#undef TRNTENSOR_INSTANTIATE

}  // namespace trntensor
