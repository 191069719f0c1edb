// Ends the file of a small kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/small.hpp"

namespace trntensor::host {

using SmallKernelOfTarget = SmallKernel (*)(DType dtype);

/// What the table of HWY_EXPORT holds for `target`; nothing when this build has none.
template <std::size_t kSize>
SmallKernel small_kernel_for(const SmallKernelOfTarget (&table)[kSize], DType dtype, std::int64_t target) {
  if ((HWY_TARGETS & target) == 0) return {};
  if constexpr (kSize == 1) {
    return table[0](dtype);
  } else {
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return table[chosen.GetIndex()](dtype);
  }
}

}  // namespace trntensor::host

/// Once for all instruction sets: defines `kernel`_for(dtype, target), which gives what the functions `kernel` of the
/// instruction sets return.
#define TRNTENSOR_HOST_EXPORT_SMALL(kernel)                             \
  namespace trntensor::host {                                           \
  HWY_EXPORT(kernel);                                                   \
  SmallKernel kernel##_for(DType dtype, std::int64_t target) {          \
    return small_kernel_for(HWY_DISPATCH_TABLE(kernel), dtype, target); \
  }                                                                     \
  }
