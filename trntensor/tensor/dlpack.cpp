#include "trntensor/tensor/dlpack.hpp"

#include <dlpack/dlpack.h>
#include <fmt/format.h>

#include <array>
#include <limits>

#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

constexpr int kMaxRank = 64;  // that of NumPy and PyTorch; a larger one is a stray pointer, not a tensor

struct TypeCode {
  DType dtype;
  std::uint8_t code;
};

// Codes above kDLComplex are from DLPack 0.7 and later, which the header at hand need not know.
constexpr std::array<TypeCode, kDTypeCount> kTypeCodes{{
    {DType::kBool, 6},
    {DType::kInt8, kDLInt},
    {DType::kUInt8, kDLUInt},
    {DType::kInt16, kDLInt},
    {DType::kUInt16, kDLUInt},
    {DType::kInt32, kDLInt},
    {DType::kUInt32, kDLUInt},
    {DType::kInt64, kDLInt},
    {DType::kUInt64, kDLUInt},
    {DType::kFloat8E4M3, 8},
    {DType::kFloat8E4M3FN, 10},
    {DType::kFloat8E5M2, 12},
    {DType::kFloat16, kDLFloat},
    {DType::kBFloat16, kDLBfloat},
    {DType::kFloat32, kDLFloat},
    {DType::kFloat64, kDLFloat},
    {DType::kComplex64, kDLComplex},
    {DType::kComplex128, kDLComplex},
}};

DLDataType to_dl(DType dtype) {
  const TypeCode& entry = kTypeCodes[static_cast<std::size_t>(dtype)];
  return {entry.code, static_cast<std::uint8_t>(8 * size_of(dtype)), 1};
}

DType from_dl(const DLDataType& type) {
  if (type.lanes != 1) {
    throw_unsupported(fmt::format("DLPack: elements are vectors of {} lanes", type.lanes), {},
                      "export the tensor with one lane and one more axis");
  }
  for (const TypeCode& entry : kTypeCodes) {
    if (entry.code == type.code && 8 * size_of(entry.dtype) == type.bits) return entry.dtype;
  }
  throw_unsupported(fmt::format("DLPack: no element type has code {} with {} bits", type.code, type.bits), {},
                    "convert the tensor to a type of trntensor before exporting it");
}

Shape read_shape(const DLTensor& tensor) {
  if (tensor.ndim < 0 || tensor.ndim > kMaxRank) {
    throw_invalid(fmt::format("DLPack: the rank is {}", tensor.ndim), {},
                  fmt::format("ranks from 0 to {} are taken", kMaxRank));
  }
  if (tensor.ndim > 0 && tensor.shape == nullptr) {
    throw_invalid(fmt::format("DLPack: the shape of a tensor of rank {} is a null pointer", tensor.ndim), {},
                  "the exporter must fill in DLTensor::shape");
  }
  return Shape(tensor.shape, tensor.shape + tensor.ndim);
}

MutableTensorView read_view(const DLTensor& tensor) {
  if (tensor.device.device_type != kDLCPU) {
    throw_unsupported(fmt::format("DLPack: the memory is on device type {}, not on the host (type 1)",
                                  static_cast<int>(tensor.device.device_type)),
                      {}, "move the tensor to the CPU before exporting it");
  }
  const DType dtype = from_dl(tensor.dtype);
  const Shape shape = read_shape(tensor);
  checked_size(shape);
  const Strides strides =
      tensor.strides == nullptr ? contiguous_strides(shape) : Strides(tensor.strides, tensor.strides + tensor.ndim);
  if (tensor.byte_offset > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw_invalid(fmt::format("DLPack: byte_offset {} leaves 63 bits", tensor.byte_offset), {},
                  "the exporter must fill in DLTensor::byte_offset");
  }
  auto* data = static_cast<std::byte*>(tensor.data);
  return {data == nullptr ? nullptr : data + tensor.byte_offset, dtype, shape, strides};
}

struct Export {
  DLManagedTensor handle;
  Tensor tensor;  // keeps the storage; its shape and strides are what the handle points at
  Shape shape;
  Strides strides;
};

}  // namespace

DLManagedTensor* to_dlpack(const Tensor& tensor) {
  if (tensor.device().type != DeviceType::kHost) {
    throw_unsupported(fmt::format("DLPack: a tensor on {} cannot be exported", to_string(tensor.device())), {},
                      "bring the tensor to the host first");
  }
  auto* exported = new Export{{}, tensor, tensor.shape(), tensor.strides()};
  DLTensor& target = exported->handle.dl_tensor;
  target.data = tensor.data();
  target.device = {kDLCPU, 0};
  target.ndim = tensor.rank();
  target.dtype = to_dl(tensor.dtype());
  target.shape = exported->shape.data();
  target.strides = exported->strides.data();
  target.byte_offset = 0;
  exported->handle.manager_ctx = exported;
  exported->handle.deleter = [](DLManagedTensor* self) { delete static_cast<Export*>(self->manager_ctx); };
  return &exported->handle;
}

Tensor from_dlpack(DLManagedTensor* handle) {
  if (handle == nullptr) throw_invalid("DLPack: the handle is a null pointer", {}, "pass the handle the exporter made");
  const std::shared_ptr<void> owner(handle, [](void* pointer) {
    auto* managed = static_cast<DLManagedTensor*>(pointer);
    if (managed->deleter != nullptr) managed->deleter(managed);
  });
  return Tensor::borrow(read_view(handle->dl_tensor), owner);
}

}  // namespace trntensor
