// The micro-kernel of real and integer types; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_REAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_REAL_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_REAL_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_REAL_INL_HPP
#endif

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "trntensor/host/kernels/pack-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE V multiply_add(V a, V b, V c) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::MulAdd(a, b, c);
  } else {
    return hn::Add(hn::Mul(a, b), c);
  }
}

/// Accumulators, one broadcast element of A and a step of B stay in registers: kMR * kVectors + kVectors + 1 of them.
/// Per step 1 load for each row and each vector feed kMR * kVectors multiply-adds.
template <typename T, int kMR, int kVectors>
void gemm_real(const KernelArgs& args) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  const T* HWY_RESTRICT a = static_cast<const T*>(args.a);
  const T* HWY_RESTRICT b = static_cast<const T*>(args.b);
  T* c = static_cast<T*>(args.c);
  V acc[kMR][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
    hwy::Prefetch(c + args.rows[i]);
    hwy::Prefetch(c + args.rows[i] + kVectors * kLanes - 1);
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) acc[i][j] = hn::Zero(d);
  }
  for (std::int64_t p = args.k; p > 0; --p) {
    V b_step[kVectors];
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) b_step[j] = hn::Load(d, b + j * kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kMR; ++i) {
      const V a_row = hn::Set(d, a[i]);
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) acc[i][j] = multiply_add(a_row, b_step[j], acc[i][j]);
    }
    a += kMR;
    b += kVectors * kLanes;
  }
  const V alpha = hn::Set(d, *static_cast<const T*>(args.alpha));
  const T beta_one = *static_cast<const T*>(args.beta);
  const V beta = hn::Set(d, beta_one);
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
    T* row = c + args.rows[i];
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      V value = hn::Mul(alpha, acc[i][j]);
      if (beta_one != T{0}) value = multiply_add(beta, hn::LoadU(d, row + j * kLanes), value);
      hn::StoreU(value, d, row + j * kLanes);
    }
  }
}

template <typename T, int kMR, int kVectors>
KernelFunctions real_kernel() {
  using Bits = hwy::MakeUnsigned<T>;
  constexpr int kNR = kVectors * static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  return {kMR, kNR, &gemm_real<T, kMR, kVectors>, &pack_whole<Bits, kMR>, &pack_whole<Bits, kNR>};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
