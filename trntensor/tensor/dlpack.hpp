// Exchange of tensors with other libraries without a copy, by DLPack.
#pragma once

#include "trntensor/tensor/tensor.hpp"

struct DLManagedTensor;  // of <dlpack/dlpack.h>

namespace trntensor {

/// A DLPack handle on the tensor's memory, which it keeps alive until its deleter is called; the caller owns the
/// handle. Throws Unsupported when the memory is not on the host. Source: DLPack 1.1 for the type codes (bool is 6; the
/// 8-bit floats are 8, 10 and 12).
DLManagedTensor* to_dlpack(const Tensor& tensor);

/// A tensor over the memory of a DLPack handle. Takes the handle over: its deleter is called once, when the last
/// tensor over the memory goes, or before an error is thrown. Throws InvalidArgument for a null handle and for shapes,
/// strides, offsets and pointers that do not make sense; Unsupported for other devices, vector types (lanes) and
/// element types that are not ours.
Tensor from_dlpack(DLManagedTensor* handle);

}  // namespace trntensor
