// Compensated micro-kernels (Dot2, see two_sum.hpp); compiled once per instruction set that has fused multiply-add.
#if defined(TRNTENSOR_HOST_KERNELS_DOT2_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_DOT2_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_DOT2_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_DOT2_INL_HPP
#endif

#include "hwy/highway.h"
#include "trntensor/host/kernels/pack-inl.hpp"
#include "trntensor/host/kernels/two_sum-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// sum + correction += a * b, without an error but the rounding of the correction.
template <class V>
HWY_INLINE void add_product(V a, V b, V& sum, V& correction) {
  V error;
  const V product = two_product(a, b, error);
  add_with_error(product, error, sum, correction);
}

template <int kMR, int kVectors>
void gemm_dot2(const KernelArgs& args) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kNR = kVectors * kLanes;
  const double* HWY_RESTRICT a = static_cast<const double*>(args.a);
  const double* HWY_RESTRICT b = static_cast<const double*>(args.b);
  double* sums = static_cast<double*>(args.c);
  double* corrections = sums + kMR * kNR;
  const bool resume = *static_cast<const double*>(args.beta) != 0.0;
  V sum[kMR][kVectors];
  V correction[kMR][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      sum[i][j] = resume ? hn::LoadU(d, sums + i * kNR + j * kLanes) : hn::Zero(d);
      correction[i][j] = resume ? hn::LoadU(d, corrections + i * kNR + j * kLanes) : hn::Zero(d);
    }
  }
  for (std::int64_t p = args.k; p > 0; --p) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      const V b_step = hn::Load(d, b + j * kLanes);
#pragma GCC unroll 8
      for (int i = 0; i < kMR; ++i) add_product(hn::Set(d, a[i]), b_step, sum[i][j], correction[i][j]);
    }
    a += kMR;
    b += kNR;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      hn::StoreU(sum[i][j], d, sums + i * kNR + j * kLanes);
      hn::StoreU(correction[i][j], d, corrections + i * kNR + j * kLanes);
    }
  }
}

/// The tiles hold real and imaginary parts in turn, as complex128 does.
template <int kMR, int kVectors>
void gemm_complex_dot2(const KernelArgs& args) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kNR = kVectors * kLanes;
  const double* HWY_RESTRICT a = static_cast<const double*>(args.a);
  const double* HWY_RESTRICT b = static_cast<const double*>(args.b);
  double* sums = static_cast<double*>(args.c);
  double* corrections = sums + 2 * kMR * kNR;
  const bool resume = *static_cast<const double*>(args.beta) != 0.0;
  V re[kMR][kVectors];
  V im[kMR][kVectors];
  V re_correction[kMR][kVectors];
  V im_correction[kMR][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      re[i][j] = im[i][j] = re_correction[i][j] = im_correction[i][j] = hn::Zero(d);
      if (!resume) continue;
      hn::LoadInterleaved2(d, sums + 2 * (i * kNR + j * kLanes), re[i][j], im[i][j]);
      hn::LoadInterleaved2(d, corrections + 2 * (i * kNR + j * kLanes), re_correction[i][j], im_correction[i][j]);
    }
  }
  for (std::int64_t p = args.k; p > 0; --p) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      const V b_re = hn::Load(d, b + j * kLanes);
      const V b_im = hn::Load(d, b + kNR + j * kLanes);
#pragma GCC unroll 8
      for (int i = 0; i < kMR; ++i) {
        const V a_re = hn::Set(d, a[2 * i]);
        const V a_im = hn::Set(d, a[2 * i + 1]);
        add_product(a_re, b_re, re[i][j], re_correction[i][j]);
        add_product(hn::Neg(a_im), b_im, re[i][j], re_correction[i][j]);
        add_product(a_re, b_im, im[i][j], im_correction[i][j]);
        add_product(a_im, b_re, im[i][j], im_correction[i][j]);
      }
    }
    a += 2 * kMR;
    b += 2 * kNR;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      hn::StoreInterleaved2(re[i][j], im[i][j], d, sums + 2 * (i * kNR + j * kLanes));
      hn::StoreInterleaved2(re_correction[i][j], im_correction[i][j], d, corrections + 2 * (i * kNR + j * kLanes));
    }
  }
}

template <int kMR, int kVectors>
KernelFunctions dot2_kernel() {
  constexpr int kNR = kVectors * static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>()));
  return {kMR,
          kNR,
          kNR,
          false,
          false,
          {&gemm_dot2<kMR, kVectors>},
          &pack_whole<std::uint64_t, kMR>,
          &pack_whole<std::uint64_t, kNR>};
}

template <int kMR, int kVectors>
KernelFunctions complex_dot2_kernel() {
  constexpr int kNR = kVectors * static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>()));
  return {kMR,
          kNR,
          kNR,
          false,
          false,
          {&gemm_complex_dot2<kMR, kVectors>},
          &pack_whole<Wide, kMR>,
          &pack_split<double, kNR>};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
