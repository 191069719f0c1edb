// float32 micro-kernels.
#include "trntensor/host/kernels/table.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/gemm_f32.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/pack_widened-inl.hpp"
#include "trntensor/host/kernels/real-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

#if TRNTENSOR_HOST_HAS_SIMD
template <int kMR, int kVectors>
KernelFunctions float32_kernel() {
  KernelFunctions functions = real_kernel<float, kMR, kVectors>();
  add_widened<kMR, kVectors* static_cast<int>(hn::MaxLanes(hn::ScalableTag<float>()))>(functions);
  return functions;
}
#endif

KernelFunctions gemm_f32() {
#if !TRNTENSOR_HOST_HAS_SIMD
  return {};
#elif HWY_TARGET <= HWY_AVX3
  return float32_kernel<8, 3>();
#elif HWY_TARGET <= HWY_AVX2
  return float32_kernel<6, 2>();
#else
  return float32_kernel<4, 2>();
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_KERNEL(gemm_f32)
#endif
