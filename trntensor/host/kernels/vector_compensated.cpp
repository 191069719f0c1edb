// Run kernels for sums that carry one correction or two. Compiled without contraction of a * b + c (see
// CMakeLists.txt).
#include "trntensor/host/kernels/finish_compensated.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_compensated.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/vector_along-inl.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

template <class Sums, class Sum, bool kComplex>
VectorKernels compensated_kernels() {
  return {(kComplex ? 2 : 1) * sizeof(double),
          Sums::kSums,
          &add_rows<Sums, kComplex>,
          &multiply_rows<Sums, kComplex>,
          &scale_rows<Sums, kComplex>,
          &sum_along<Sums, kComplex>,
          &dot_along<Sums, kComplex>,
          &combine<Sums, kComplex>,
          &vector_detail::finish_compensated<Sum, kComplex>,
          &clear<Sums, kComplex>};
}

void fill_compensated_kernels(VectorTable& table) {
  table.compensated64 = compensated_kernels<CompensatedSums<double>, CompensatedSum, false>();
  table.compensated128 = compensated_kernels<CompensatedSums<double>, CompensatedSum, true>();
  table.triple64 = compensated_kernels<TripleSums<double>, TripleSum, false>();
  table.triple128 = compensated_kernels<TripleSums<double>, TripleSum, true>();
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
