// Vectors of sums and products together with their rounding errors; sources and rules of use are those of two_sum.hpp.
// Compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_TWO_SUM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_TWO_SUM_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_TWO_SUM_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_TWO_SUM_INL_HPP
#endif

#include "trntensor/host/kernels/vector_ops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

// a + b, and the error of its rounding.
template <class V>
HWY_INLINE V two_sum(V a, V b, V& error) {
  const V sum = hn::Add(a, b);
  const V moved = hn::Sub(sum, a);
  error = hn::Add(hn::Sub(a, hn::Sub(sum, moved)), hn::Sub(b, moved));
  return sum;
}

#if HWY_NATIVE_FMA
// a * b, and the error of its rounding.
template <class V>
HWY_INLINE V two_product(V a, V b, V& error) {
  const V product = hn::Mul(a, b);
  error = hn::MulSub(a, b, product);
  return product;
}
#else
// The upper 26 bits of a double, so that products of halves are exact. Overflows above 2^996.
template <class V>
HWY_INLINE V high_half(V v) {
  const V scaled = hn::Mul(v, hn::Set(hn::ScalableTag<double>(), 134217729.0));
  return hn::Sub(scaled, hn::Sub(scaled, v));
}

// a * b, and the error of its rounding: T. J. Dekker, Numer. Math. 18 (1971) 224.
template <class V>
HWY_INLINE V two_product(V a, V b, V& error) {
  const V product = hn::Mul(a, b);
  const V ah = high_half(a);
  const V al = hn::Sub(a, ah);
  const V bh = high_half(b);
  const V bl = hn::Sub(b, bh);
  const V rest = hn::Sub(hn::Mul(ah, bh), product);
  error = hn::Add(hn::Add(hn::Add(rest, hn::Mul(ah, bl)), hn::Mul(al, bh)), hn::Mul(al, bl));
  return product;
}
#endif

// sum + correction += term + term_error, without an error but the rounding of the correction.
template <class V>
HWY_INLINE void add_with_error(V term, V term_error, V& sum, V& correction) {
  V error;
  sum = two_sum(sum, term, error);
  correction = hn::Add(correction, hn::Add(error, term_error));
}

// sum + correction + rest += term + term_error, without an error but the rounding of the rest.
template <class V>
HWY_INLINE void add_with_error(V term, V term_error, V& sum, V& correction, V& rest) {
  V error;
  V first;
  V second;
  sum = two_sum(sum, term, error);
  correction = two_sum(correction, term_error, first);
  correction = two_sum(correction, error, second);
  rest = hn::Add(rest, hn::Add(first, second));
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
