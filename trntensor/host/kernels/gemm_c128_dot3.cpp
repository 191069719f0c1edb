// Double-double complex128 micro-kernels.
#include "trntensor/host/kernels/table.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/gemm_c128_dot3.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/dot3-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

KernelFunctions gemm_c128_dot3() {
#if !TRNTENSOR_HOST_HAS_SIMD
  return {};
#elif HWY_TARGET <= HWY_AVX3
  return complex_dot3_kernel<4>();
#elif HWY_TARGET <= HWY_AVX2
  return complex_dot3_kernel<4>();
#else  // no fused multiply-add
  return {};
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_KERNEL(gemm_c128_dot3)
#endif
