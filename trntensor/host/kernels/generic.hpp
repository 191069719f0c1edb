// The kernels of plain C++, for every dtype and any CPU.
#pragma once

#include "trntensor/host/kernels/kernel.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor::host {

/// Same contract as the vector kernels. `dtype` is one of float32/64, complex64/128, int32, int64; compensated exists
/// for float64 and complex128.
KernelFunctions generic_kernel(DType dtype, int compensated);

}  // namespace trntensor::host
