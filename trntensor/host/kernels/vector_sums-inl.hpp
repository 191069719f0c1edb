// Vectors of running sums, plain and compensated, and partial vectors. Compiled once per instruction set.
#if defined(TRNTENSOR_HOST_VECTOR_SUMS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_VECTOR_SUMS_INL_HPP_
#undef TRNTENSOR_HOST_VECTOR_SUMS_INL_HPP_
#else
#define TRNTENSOR_HOST_VECTOR_SUMS_INL_HPP_
#endif

#include <cstddef>

#include "trntensor/host/kernels/two_sum-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

// The first `count` lanes from memory, 0 in the others; reads nothing behind them.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_part(D d, const T* p, std::size_t count) {
#if HWY_MEM_OPS_MIGHT_FAULT || TRNTENSOR_VECTOR_GENERIC
  HWY_ALIGN T lanes[hn::MaxLanes(D())] = {};
  for (std::size_t i = 0; i < count; ++i) lanes[i] = p[i];
  return hn::Load(d, lanes);
#else
  return hn::MaskedLoad(hn::FirstN(d, count), d, p);
#endif
}

template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void store_part(D d, hn::Vec<D> v, T* p, std::size_t count) {
#if HWY_MEM_OPS_MIGHT_FAULT || TRNTENSOR_VECTOR_GENERIC
  HWY_ALIGN T lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  for (std::size_t i = 0; i < count; ++i) p[i] = lanes[i];
#else
  hn::BlendedStore(v, hn::FirstN(d, count), d, p);
#endif
}

// Whole or partial vectors under one name, so that a loop's tail is its body.
struct Whole {
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* p) const {
    return hn::LoadU(d, p);
  }
  template <class D>
  HWY_INLINE void store(D d, hn::Vec<D> v, hn::TFromD<D>* p) const {
    hn::StoreU(v, d, p);
  }
};
struct Part {
  std::size_t count;
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* p) const {
    return load_part(d, p, count);
  }
  template <class D>
  HWY_INLINE void store(D d, hn::Vec<D> v, hn::TFromD<D>* p) const {
    store_part(d, v, p, count);
  }
};

// One rounding per operation.
template <typename T>
struct PlainSums {
  using Scalar = T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kSums = 1;

  V s;

  HWY_INLINE PlainSums() : s(hn::Set(D(), T(-0.0))) {}
  HWY_INLINE void add(V v) { s = hn::Add(s, v); }
  HWY_INLINE void multiply_add(V v, V w) { s = hn::MulAdd(v, w, s); }
  HWY_INLINE void combine(const PlainSums& other) { add(other.s); }
  template <class Extent>
  HWY_INLINE void load(Extent extent, const T* acc, std::size_t) {
    s = extent.load(D(), acc);
  }
  template <class Extent>
  HWY_INLINE void store(Extent extent, T* acc, std::size_t) const {
    extent.store(D(), s, acc);
  }
};

// The rounding errors of all operations are summed beside the sum, so that the result is as if computed with twice
// the digits and then rounded; see two_sum.hpp.
template <typename T>
struct CompensatedSums {
  using Scalar = T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kSums = 2;

  V s;
  V c;

  HWY_INLINE CompensatedSums() : s(hn::Set(D(), T(-0.0))), c(hn::Zero(D())) {}
  HWY_INLINE void add(V v) { add_with_error(v, hn::Zero(D()), s, c); }
  HWY_INLINE void multiply_add(V v, V w) {
    V error;
    const V product = two_product(v, w, error);
    add_with_error(product, error, s, c);
  }
  HWY_INLINE void combine(const CompensatedSums& other) { add_with_error(other.s, other.c, s, c); }
  template <class Extent>
  HWY_INLINE void load(Extent extent, const T* acc, std::size_t distance) {
    s = extent.load(D(), acc);
    c = extent.load(D(), acc + distance);
  }
  template <class Extent>
  HWY_INLINE void store(Extent extent, T* acc, std::size_t distance) const {
    extent.store(D(), s, acc);
    extent.store(D(), c, acc + distance);
  }
};

// The same once more: the rounding errors of the errors' sum are summed as well.
template <typename T>
struct TripleSums {
  using Scalar = T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kSums = 3;

  V s;
  V c;
  V e;

  HWY_INLINE TripleSums() : s(hn::Set(D(), T(-0.0))), c(hn::Zero(D())), e(hn::Zero(D())) {}
  HWY_INLINE void add(V v) { add_with_error(v, hn::Zero(D()), s, c, e); }
  HWY_INLINE void multiply_add(V v, V w) {
    V error;
    const V product = two_product(v, w, error);
    add_with_error(product, error, s, c, e);
  }
  HWY_INLINE void combine(const TripleSums& other) {
    add_with_error(other.s, other.c, s, c, e);
    e = hn::Add(e, other.e);
  }
  template <class Extent>
  HWY_INLINE void load(Extent extent, const T* acc, std::size_t distance) {
    s = extent.load(D(), acc);
    c = extent.load(D(), acc + distance);
    e = extent.load(D(), acc + 2 * distance);
  }
  template <class Extent>
  HWY_INLINE void store(Extent extent, T* acc, std::size_t distance) const {
    extent.store(D(), s, acc);
    extent.store(D(), c, acc + distance);
    extent.store(D(), e, acc + 2 * distance);
  }
};

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
