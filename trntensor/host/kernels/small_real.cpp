// Small products of real numbers and integers.
#include "trntensor/host/kernels/small.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/small_real.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/small_real-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

#if TRNTENSOR_HOST_HAS_SIMD
// As many sums as registers are there for; integers, whose products may take some of their own, with fewer sizes.
#if HWY_TARGET <= HWY_AVX3
using SmallLimits = Limits<16, 12, 8>;
using SmallLimitsIntegers = Limits<8, 6, 0>;
#elif HWY_TARGET <= HWY_AVX2
using SmallLimits = Limits<8, 6, 0>;
using SmallLimitsIntegers = Limits<4, 2, 0>;
#else
using SmallLimits = Limits<4, 4, 0>;
using SmallLimitsIntegers = Limits<4, 2, 0>;
#endif
#endif

SmallKernel small_real([[maybe_unused]] DType dtype) {
#if TRNTENSOR_HOST_HAS_SIMD
  switch (dtype) {
    case DType::kFloat32:
      return small_kernel<RealBlock<float>, SmallLimits>();
    case DType::kFloat64:
      return small_kernel<RealBlock<double>, SmallLimits>();
    case DType::kInt32:
      return small_kernel<RealBlock<std::int32_t>, SmallLimitsIntegers>();
    case DType::kInt64:
      return small_kernel<RealBlock<std::int64_t>, SmallLimitsIntegers>();
    default:
      break;
  }
#endif
  return {};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_SMALL(small_real)
#endif
