// Small products of complex numbers.
#include "trntensor/host/kernels/small.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/small_complex.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/small_complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

#if TRNTENSOR_HOST_HAS_SIMD
// Twice as many sums as elements of a block.
#if HWY_TARGET <= HWY_AVX3
using SmallLimits = Limits<12, 6, 4>;
#elif HWY_TARGET <= HWY_AVX2
using SmallLimits = Limits<6, 3, 0>;
#else
using SmallLimits = Limits<4, 2, 0>;
#endif
#endif

SmallKernel small_complex([[maybe_unused]] DType dtype) {
#if TRNTENSOR_HOST_HAS_SIMD
  if (dtype == DType::kComplex64) return small_kernel<ComplexBlock<float>, SmallLimits>();
  if (dtype == DType::kComplex128) return small_kernel<ComplexBlock<double>, SmallLimits>();
#endif
  return {};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_SMALL(small_complex)
#endif
