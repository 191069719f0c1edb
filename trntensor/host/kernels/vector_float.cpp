// Run kernels for real and complex floating-point sums, one rounding per operation.
#include "trntensor/host/kernels/vector_finish.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_float.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/vector_along-inl.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

template <typename T, bool kComplex>
VectorKernels plain_kernels() {
  using Element = std::conditional_t<kComplex, std::complex<T>, T>;
  return kernels_of_sums<PlainSums<T>, kComplex>(sizeof(Element), &vector_detail::finish_plain<Element>);
}

void fill_float_kernels(VectorTable& table) {
  table.float32 = plain_kernels<float, false>();
  table.float64 = plain_kernels<double, false>();
  table.complex64 = plain_kernels<float, true>();
  table.complex128 = plain_kernels<double, true>();
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(fill_float_kernels);

FillVectorTable float_kernels_for(std::int64_t target) {
  return entry_for(HWY_DISPATCH_TABLE(fill_float_kernels), target);
}

}  // namespace trntensor::host
#endif
