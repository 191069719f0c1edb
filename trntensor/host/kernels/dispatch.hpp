// Ends the file of a packed kernel.
#pragma once

#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/kernel.hpp"
#include "trntensor/host/kernels/targets.hpp"

/// True while a file is compiled for an instruction set that has entries in the table of kernels. Highway's scalar
/// targets have none: the generic kernels are plain C++.
#define TRNTENSOR_HOST_HAS_SIMD ((HWY_TARGET & (HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3)) != 0)

namespace trntensor::host {

/// What the function of the instruction set gives; empty when this build has none.
inline KernelFunctions functions_of(KernelFunctions (*kernel)()) {
  return kernel != nullptr ? kernel() : KernelFunctions{};
}

}  // namespace trntensor::host

/// Once for all instruction sets: defines `kernel`_for(target), which gives what the functions `kernel` of the
/// instruction sets return (see table.hpp).
#define TRNTENSOR_HOST_EXPORT_KERNEL(kernel)                            \
  namespace trntensor::host {                                           \
  HWY_EXPORT(kernel);                                                   \
  KernelFunctions kernel##_for(std::int64_t target) {                   \
    return functions_of(entry_for(HWY_DISPATCH_TABLE(kernel), target)); \
  }                                                                     \
  }
