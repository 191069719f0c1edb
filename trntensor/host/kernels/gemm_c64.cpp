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
#elif HWY_TARGET <= HWY_AVX2
  return complex_kernel<float, 2, 2>();
#else
  return complex_kernel<float, 2, 2>();
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(gemm_c64);

KernelFunctions gemm_c64_for(std::int64_t target) { return functions_for(HWY_DISPATCH_TABLE(gemm_c64), target); }

}  // namespace trntensor::host
#endif
