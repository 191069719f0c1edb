// Small products of real numbers and integers.
#include "trntensor/host/kernels/small.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/small_real.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/small_real-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

#if TRNTENSOR_HOST_HAS_SIMD
// As many sums as registers are there for.
#if HWY_TARGET <= HWY_AVX3
constexpr int kSmallRows = 8;
constexpr int kSmallVectors = 3;
constexpr int kSmallRowsInt64 = 6;
#elif HWY_TARGET <= HWY_AVX2
constexpr int kSmallRows = 6;
constexpr int kSmallVectors = 2;
constexpr int kSmallRowsInt64 = 2;  // products of 64 bits take registers of their own
#else
constexpr int kSmallRows = 4;
constexpr int kSmallVectors = 2;
constexpr int kSmallRowsInt64 = 2;
#endif
#endif

SmallKernel small_real([[maybe_unused]] DType dtype) {
#if TRNTENSOR_HOST_HAS_SIMD
  switch (dtype) {
    case DType::kFloat32:
      return small_real_kernel<float, kSmallRows, kSmallVectors>();
    case DType::kFloat64:
      return small_real_kernel<double, kSmallRows, kSmallVectors>();
    case DType::kInt32:
      return small_real_kernel<std::int32_t, kSmallRows, kSmallVectors>();
    case DType::kInt64:
      return small_real_kernel<std::int64_t, kSmallRowsInt64, 2>();
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
