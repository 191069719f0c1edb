// complex64 micro-kernels.
#include "trntensor/host/kernels/table.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/gemm_c64.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

KernelFunctions gemm_c64() {
#if !TRNTENSOR_HOST_HAS_SIMD
  return {};
#elif HWY_TARGET <= HWY_AVX3
  return complex_kernel<float, 6, 2>();
#else
  return complex_kernel<float, 2, 2>();
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_KERNEL(gemm_c64)
#endif
