// Run kernels for sums that carry two corrections.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_triple.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/vector_corrected-inl.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

void fill_triple_kernels(VectorTable& table) {
  table.triple64 = corrected_kernels<TripleSums<double>, TripleSum, false>();
  table.triple128 = corrected_kernels<TripleSums<double>, TripleSum, true>();
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(fill_triple_kernels);

FillVectorTable triple_kernels_for(std::int64_t target) {
  return entry_for(HWY_DISPATCH_TABLE(fill_triple_kernels), target);
}

}  // namespace trntensor::host
#endif
