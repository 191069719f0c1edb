// Run kernels for sums that carry corrections: the row of a VectorTable for one kind of sum. Compiled once per
// instruction set, without contraction of a * b + c (see CMakeLists.txt).
#if defined(TRNTENSOR_HOST_VECTOR_CORRECTED_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_VECTOR_CORRECTED_INL_HPP_
#undef TRNTENSOR_HOST_VECTOR_CORRECTED_INL_HPP_
#else
#define TRNTENSOR_HOST_VECTOR_CORRECTED_INL_HPP_
#endif

#include "trntensor/host/kernels/finish_compensated.hpp"
#include "trntensor/host/kernels/vector_along-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

/// `Sums` are those of runs, `Sum` is the same kind for one number.
template <class Sums, class Sum, bool kComplex>
VectorKernels corrected_kernels() {
  return kernels_of_sums<Sums, kComplex>((kComplex ? 2 : 1) * sizeof(double),
                                         &vector_detail::finish_compensated<Sum, kComplex>);
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
