// The vector operations the run kernels use: Highway's, or plain arrays where Highway has no vectors. Compiled once
// per instruction set.
#if defined(TRNTENSOR_HOST_VECTOR_OPS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_VECTOR_OPS_INL_HPP_
#undef TRNTENSOR_HOST_VECTOR_OPS_INL_HPP_
#else
#define TRNTENSOR_HOST_VECTOR_OPS_INL_HPP_
#endif

#include <cstddef>

#include "hwy/highway.h"

/// True where vectors are arrays that the compiler may turn into what the baseline has.
#define TRNTENSOR_VECTOR_GENERIC (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

#if !TRNTENSOR_VECTOR_GENERIC
namespace hn = hwy::HWY_NAMESPACE;
#else
// Same names and meanings as in Highway.
namespace hn {

template <typename T>
struct ScalableTag {
  using Element = T;
};
template <class D>
using TFromD = typename D::Element;

template <class D>
constexpr std::size_t MaxLanes(D) {
  return 32 / sizeof(TFromD<D>);
}
template <class D>
constexpr std::size_t Lanes(D d) {
  return MaxLanes(d);
}

template <typename T>
struct Array {
  static constexpr std::size_t kLanes = MaxLanes(ScalableTag<T>());
  T lane[kLanes];
};
template <class D>
using Vec = Array<TFromD<D> >;

// The vector whose lane i is f(i).
template <typename T, class F>
HWY_INLINE Array<T> make(const F& f) {
  Array<T> v;
  for (std::size_t i = 0; i < Array<T>::kLanes; ++i) v.lane[i] = f(i);
  return v;
}

template <class D, typename T = TFromD<D> >
HWY_INLINE Array<T> Set(D, T value) {
  return make<T>([&](std::size_t) { return value; });
}
template <class D, typename T = TFromD<D> >
HWY_INLINE Array<T> Zero(D) {
  return make<T>([](std::size_t) { return T{0}; });
}
template <class D, typename T = TFromD<D> >
HWY_INLINE Array<T> LoadU(D, const T* p) {
  return make<T>([&](std::size_t i) { return p[i]; });
}
template <class D, typename T = TFromD<D> >
HWY_INLINE Array<T> Load(D d, const T* p) {
  return LoadU(d, p);
}
template <class D, typename T = TFromD<D> >
HWY_INLINE void StoreU(Array<T> v, D, T* p) {
  for (std::size_t i = 0; i < Array<T>::kLanes; ++i) p[i] = v.lane[i];
}
template <class D, typename T = TFromD<D> >
HWY_INLINE void Store(Array<T> v, D d, T* p) {
  StoreU(v, d, p);
}
template <typename T>
HWY_INLINE Array<T> Add(Array<T> a, Array<T> b) {
  return make<T>([&](std::size_t i) { return a.lane[i] + b.lane[i]; });
}
template <typename T>
HWY_INLINE Array<T> Sub(Array<T> a, Array<T> b) {
  return make<T>([&](std::size_t i) { return a.lane[i] - b.lane[i]; });
}
template <typename T>
HWY_INLINE Array<T> Mul(Array<T> a, Array<T> b) {
  return make<T>([&](std::size_t i) { return a.lane[i] * b.lane[i]; });
}
template <typename T>
HWY_INLINE Array<T> MulAdd(Array<T> a, Array<T> b, Array<T> c) {
  return make<T>([&](std::size_t i) { return a.lane[i] * b.lane[i] + c.lane[i]; });
}
template <typename T>
HWY_INLINE Array<T> Neg(Array<T> a) {
  return make<T>([&](std::size_t i) { return -a.lane[i]; });
}
template <typename T>
HWY_INLINE Array<T> DupEven(Array<T> a) {
  return make<T>([&](std::size_t i) { return a.lane[i - i % 2]; });
}
template <typename T>
HWY_INLINE Array<T> DupOdd(Array<T> a) {
  return make<T>([&](std::size_t i) { return a.lane[i - i % 2 + 1]; });
}
template <class D, typename T = TFromD<D> >
HWY_INLINE Array<T> Reverse2(D, Array<T> a) {
  return make<T>([&](std::size_t i) { return a.lane[i - i % 2 + 1 - i % 2]; });
}
template <typename T>
HWY_INLINE Array<T> OddEven(Array<T> odd, Array<T> even) {
  return make<T>([&](std::size_t i) { return i % 2 != 0 ? odd.lane[i] : even.lane[i]; });
}

}  // namespace hn
#endif  // TRNTENSOR_VECTOR_GENERIC

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
