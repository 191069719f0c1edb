// Run kernels for sums that carry one correction.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_compensated.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/vector_corrected-inl.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

void fill_compensated_kernels(VectorTable& table) {
  table.compensated64 = corrected_kernels<CompensatedSums<double>, CompensatedSum, false>();
  table.compensated128 = corrected_kernels<CompensatedSums<double>, CompensatedSum, true>();
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(fill_compensated_kernels);

FillVectorTable compensated_kernels_for(std::int64_t target) {
  return entry_for(HWY_DISPATCH_TABLE(fill_compensated_kernels), target);
}

}  // namespace trntensor::host
#endif
