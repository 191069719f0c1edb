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

  HWY_INLINE ComplexScale(V real, V imaginary, bool without_imaginary)
      : re(real), im(imaginary), is_real(without_imaginary) {}
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

/// Writes sums to C, scaled. The halves of a vector go to row + 2 * pieces[0] and row + 2 * pieces[1].
template <class D>
class ComplexWriter {
 public:
  using Real = hn::TFromD<D>;
  using V = hn::Vec<D>;

  HWY_INLINE ComplexWriter(D d, const KernelArgs& args)
      : alpha_(d, static_cast<const Real*>(args.alpha)),
        beta_(d, static_cast<const Real*>(args.beta)),
        reads_c_(static_cast<const Real*>(args.beta)[0] != 0 || static_cast<const Real*>(args.beta)[1] != 0) {}

  HWY_INLINE void write(D d, V re, V im, Real* row, const std::int64_t* pieces) const {
    const hn::Half<D> half;
    constexpr auto kHalf = static_cast<std::int64_t>(hn::MaxLanes(half));
    alpha_.apply(re, im);
    if (pieces[1] == pieces[0] + kHalf) {
      add_old(d, row + 2 * pieces[0], re, im, beta_);
      hn::StoreInterleaved2(re, im, d, row + 2 * pieces[0]);
      return;
    }
    const ComplexScale<hn::Half<D>> beta{hn::LowerHalf(half, beta_.re), hn::LowerHalf(half, beta_.im), beta_.is_real};
    write_half(half, hn::LowerHalf(half, re), hn::LowerHalf(half, im), row + 2 * pieces[0], beta);
    write_half(half, hn::UpperHalf(half, re), hn::UpperHalf(half, im), row + 2 * pieces[1], beta);
  }

 private:
  template <class AnyD, class AnyV>
  HWY_INLINE void add_old(AnyD d, const Real* from, AnyV& re, AnyV& im, const ComplexScale<AnyD>& beta) const {
    if (!reads_c_) return;
    AnyV c_re;
    AnyV c_im;
    hn::LoadInterleaved2(d, from, c_re, c_im);
    beta.apply(c_re, c_im);
    re = hn::Add(re, c_re);
    im = hn::Add(im, c_im);
  }

  template <class HalfD, class HalfV>
  HWY_INLINE void write_half(HalfD d, HalfV re, HalfV im, Real* to, const ComplexScale<HalfD>& beta) const {
    add_old(d, to, re, im, beta);
    hn::StoreInterleaved2(re, im, d, to);
  }

  ComplexScale<D> alpha_;
  ComplexScale<D> beta_;
  bool reads_c_;
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
    if (i < args.row_count) hwy::Prefetch(c + 2 * args.rows[i]);
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
  const ComplexWriter writer(d, args);
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
    if (i == args.row_count) break;
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) {
      writer.write(d, re[i][j], im[i][j], c + 2 * args.rows[i], args.pieces + 2 * j);
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
          false,
          false,
          {&gemm_complex<Real, kMR, kVectors, 1>, &gemm_complex<Real, kMR, kVectors, 2>},
          &pack_whole<Element, kMR>,
          &pack_split<Real, kNR>};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
