// Single elements, rests of vectors, and multiply-adds of any type; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_FIRST_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_FIRST_LANES_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_FIRST_LANES_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_FIRST_LANES_INL_HPP
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "trntensor/host/kernels/dispatch.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One element of memory that may be unaligned for its type.
template <typename T>
HWY_INLINE T load_one(const T* from) {
  T value;
  std::memcpy(&value, static_cast<const void*>(from), sizeof(T));
  return value;
}

/// a * b + c; of integers modulo 2^bits.
template <class V>
HWY_INLINE V multiply_add(V a, V b, V c) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::MulAdd(a, b, c);
  } else {
    return hn::Add(hn::Mul(a, b), c);
  }
}

/// The first lanes of a vector: the others are neither read nor written in memory.
template <class D>
class FirstLanes {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

#if HWY_TARGET <= HWY_AVX2
  HWY_INLINE FirstLanes(D d, std::int64_t count) : mask_(hn::FirstN(d, static_cast<std::size_t>(count))) {}
  HWY_INLINE V load(D d, const T* from) const { return hn::MaskedLoad(mask_, d, from); }
  HWY_INLINE void store(V value, D d, T* to) const { hn::BlendedStore(value, mask_, d, to); }

 private:
  hn::Mask<D> mask_;
#else
  // No instruction leaves lanes out: by way of a whole vector.
  HWY_INLINE FirstLanes(D, std::int64_t count) : bytes_(static_cast<std::size_t>(count) * sizeof(T)) {}
  HWY_INLINE V load(D d, const T* from) const {
    alignas(16) T lanes[hn::MaxLanes(D())] = {};
    std::memcpy(lanes, static_cast<const void*>(from), bytes_);
    return hn::Load(d, lanes);
  }
  HWY_INLINE void store(V value, D d, T* to) const {
    alignas(16) T lanes[hn::MaxLanes(D())];
    hn::Store(value, d, lanes);
    std::memcpy(static_cast<void*>(to), lanes, bytes_);
  }

 private:
  std::size_t bytes_;
#endif
};

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
