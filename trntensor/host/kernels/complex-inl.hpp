// The micro-kernel of complex types; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_COMPLEX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_COMPLEX_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_COMPLEX_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_COMPLEX_INL_HPP
#endif

#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "trntensor/host/kernels/pack-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A complex factor of a whole tile. One without an imaginary part scales the parts apart: as a full product it would
/// turn an infinite part times 0 into NaN.
template <class D>
struct ComplexScale {
  using V = hn::Vec<D>;

  HWY_INLINE ComplexScale(D d, const hn::TFromD<D>* factor)
      : re(hn::Set(d, factor[0])), im(hn::Set(d, factor[1])), is_real(factor[1] == 0) {}

  HWY_INLINE void apply(V& x, V& y) const {
    if (is_real) {
      x = hn::Mul(re, x);
      y = hn::Mul(re, y);
      return;
    }
    const V x_new = hn::NegMulAdd(im, y, hn::Mul(re, x));
    y = hn::MulAdd(im, x, hn::Mul(re, y));
    x = x_new;
  }

  V re;
  V im;
  bool is_real;
};

/// Real and imaginary sums apart, so that every multiply-add works on whole vectors of one part.
template <typename Real, int kMR, int kVectors, int kUsed>
void gemm_complex(const KernelArgs& args) {
  const hn::ScalableTag<Real> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kNR = kVectors * kLanes;
  const Real* HWY_RESTRICT a = static_cast<const Real*>(args.a);
  const Real* HWY_RESTRICT b = static_cast<const Real*>(args.b);
  Real* c = static_cast<Real*>(args.c);
  V re[kMR][kUsed];
  V im[kMR][kUsed];
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
    hwy::Prefetch(c + 2 * args.rows[i]);
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) re[i][j] = im[i][j] = hn::Zero(d);
  }
  for (std::int64_t p = args.k; p > 0; --p) {
    V b_re[kUsed];
    V b_im[kUsed];
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) {
      b_re[j] = hn::Load(d, b + j * kLanes);
      b_im[j] = hn::Load(d, b + kNR + j * kLanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kMR; ++i) {
      const V a_re = hn::Set(d, a[2 * i]);
      const V a_im = hn::Set(d, a[2 * i + 1]);
#pragma GCC unroll 4
      for (int j = 0; j < kUsed; ++j) {
        re[i][j] = hn::MulAdd(a_re, b_re[j], re[i][j]);
        im[i][j] = hn::MulAdd(a_re, b_im[j], im[i][j]);
        re[i][j] = hn::NegMulAdd(a_im, b_im[j], re[i][j]);
        im[i][j] = hn::MulAdd(a_im, b_re[j], im[i][j]);
      }
    }
    a += 2 * kMR;
    b += 2 * kNR;
  }
  const Real* beta_parts = static_cast<const Real*>(args.beta);
  const ComplexScale alpha(d, static_cast<const Real*>(args.alpha));
  const ComplexScale beta(d, beta_parts);
  const bool reads_c = beta_parts[0] != 0 || beta_parts[1] != 0;
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) {
      Real* to = c + 2 * (args.rows[i] + j * kLanes);
      V x = re[i][j];
      V y = im[i][j];
      alpha.apply(x, y);
      if (reads_c) {
        V c_re;
        V c_im;
        hn::LoadInterleaved2(d, to, c_re, c_im);
        beta.apply(c_re, c_im);
        x = hn::Add(x, c_re);
        y = hn::Add(y, c_im);
      }
      hn::StoreInterleaved2(x, y, d, to);
    }
  }
}

template <typename Real, int kMR, int kVectors>
KernelFunctions complex_kernel() {
  using Element = std::conditional_t<sizeof(Real) == 4, std::uint64_t, Wide>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int kNR = kVectors * kLanes;
  static_assert(kVectors == 2);
  return {kMR,
          kNR,
          kLanes,
          {&gemm_complex<Real, kMR, kVectors, 1>, &gemm_complex<Real, kMR, kVectors, 2>},
          &pack_whole<Element, kMR>,
          &pack_split<Real, kNR>};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
