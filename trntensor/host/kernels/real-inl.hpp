// The micro-kernel of real and integer types; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_REAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_REAL_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_REAL_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_REAL_INL_HPP
#endif

#include <algorithm>

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

/// Steps of the sum that take as long as fetching the tile of C from memory.
constexpr std::int64_t kStepsAhead = 48;

template <typename T, int kCount>
HWY_INLINE void prefetch_row(const T* row) {
  for (int j = 0; j < kCount; j += 64 / static_cast<int>(sizeof(T))) hwy::Prefetch(row + j);
  hwy::Prefetch(row + kCount - 1);
}

/// Accumulators, one broadcast element of A and a step of B stay in registers: kMR * kVectors + kVectors + 1 of them.
/// Per step 1 load for each row and each vector feed kMR * kVectors multiply-adds. kUsed of the vectors are computed.
template <typename T, int kMR, int kVectors, int kUsed>
void gemm_real(const KernelArgs& args) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  const T* HWY_RESTRICT a = static_cast<const T*>(args.a);
  const T* HWY_RESTRICT b = static_cast<const T*>(args.b);
  T* c = static_cast<T*>(args.c);
  V acc[kMR][kUsed];
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) acc[i][j] = hn::Zero(d);
  }
  // The tile of C is fetched near the end: at the start, the panels would push it out of L1 again.
  std::int64_t steps = std::max<std::int64_t>(args.k - kStepsAhead, 0);
  for (std::int64_t left = args.k;;) {
    left -= steps;
    for (; steps > 0; --steps) {
      V b_step[kUsed];
#pragma GCC unroll 4
      for (int j = 0; j < kUsed; ++j) b_step[j] = hn::Load(d, b + j * kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kMR; ++i) {
        const V a_row = hn::Set(d, a[i]);
#pragma GCC unroll 4
        for (int j = 0; j < kUsed; ++j) acc[i][j] = multiply_add(a_row, b_step[j], acc[i][j]);
      }
      a += kMR;
      b += kVectors * kLanes;
    }
    if (left == 0) break;
    steps = left;
#pragma GCC unroll 16
    for (int i = 0; i < kMR; ++i) prefetch_row<T, kUsed * kLanes>(c + args.rows[i]);
  }
  const V alpha = hn::Set(d, *static_cast<const T*>(args.alpha));
  const T beta_one = *static_cast<const T*>(args.beta);
  const V beta = hn::Set(d, beta_one);
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
    T* row = c + args.rows[i];
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) {
      V value = hn::Mul(alpha, acc[i][j]);
      if (beta_one != T{0}) value = multiply_add(beta, hn::LoadU(d, row + j * kLanes), value);
      hn::StoreU(value, d, row + j * kLanes);
    }
  }
}

template <typename T, int kMR, int kVectors>
KernelFunctions real_kernel() {
  using Bits = hwy::MakeUnsigned<T>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  constexpr int kNR = kVectors * kLanes;
  KernelFunctions functions{kMR, kNR, kLanes, {}, &pack_whole<Bits, kMR>, &pack_whole<Bits, kNR>};
  functions.run[0] = &gemm_real<T, kMR, kVectors, 1>;
  if constexpr (kVectors > 1) functions.run[1] = &gemm_real<T, kMR, kVectors, 2>;
  if constexpr (kVectors > 2) functions.run[2] = &gemm_real<T, kMR, kVectors, 3>;
  return functions;
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
