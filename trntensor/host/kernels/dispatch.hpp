// From a Highway dispatch table to the functions of one chosen instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/kernel.hpp"

/// True while a file is compiled for an instruction set that has entries in the table of kernels. Highway's scalar
/// targets have none: the generic kernels are plain C++.
#define TRNTENSOR_HOST_HAS_SIMD ((HWY_TARGET & (HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3)) != 0)

namespace trntensor::host {

using KernelOfTarget = KernelFunctions (*)();

/// What the table of HWY_EXPORT holds for `target`; empty when this build has none.
template <std::size_t kSize>
KernelFunctions functions_for(const KernelOfTarget (&table)[kSize], std::int64_t target) {
  if ((HWY_TARGETS & target) == 0) return {};
  if constexpr (kSize == 1) {
    return table[0]();
  } else {
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return table[chosen.GetIndex()]();
  }
}

}  // namespace trntensor::host

/// Ends the file of a kernel, once for all instruction sets: defines `kernel`_for(target), which gives what the
/// functions `kernel` of the instruction sets return (see table.hpp).
#define TRNTENSOR_HOST_EXPORT_KERNEL(kernel)                                                                      \
  namespace trntensor::host {                                                                                     \
  HWY_EXPORT(kernel);                                                                                             \
  KernelFunctions kernel##_for(std::int64_t target) { return functions_for(HWY_DISPATCH_TABLE(kernel), target); } \
  }
