// int32 micro-kernels, modulo 2^32. Smaller tiles than float32: a product needs a register of its own.
#include "trntensor/host/kernels/table.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/gemm_i32.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/real-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

KernelFunctions gemm_i32() {
#if !TRNTENSOR_HOST_HAS_SIMD
  return {};
#elif HWY_TARGET <= HWY_AVX3
  return real_kernel<std::int32_t, 6, 2>();
#elif HWY_TARGET <= HWY_AVX2
  return real_kernel<std::int32_t, 3, 2>();
#else
  return real_kernel<std::int32_t, 4, 1>();
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_KERNEL(gemm_i32)
#endif
