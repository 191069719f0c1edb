// Ends the file of a small kernel.
#pragma once

#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/small.hpp"
#include "trntensor/host/kernels/targets.hpp"

/// Once for all instruction sets: defines `kernel`_for(dtype, target), which gives what the functions `kernel` of the
/// instruction sets return; nothing when this build has none.
#define TRNTENSOR_HOST_EXPORT_SMALL(kernel)                           \
  namespace trntensor::host {                                         \
  HWY_EXPORT(kernel);                                                 \
  SmallKernel kernel##_for(DType dtype, std::int64_t target) {        \
    const auto entry = entry_for(HWY_DISPATCH_TABLE(kernel), target); \
    return entry != nullptr ? entry(dtype) : SmallKernel{};           \
  }                                                                   \
  }
