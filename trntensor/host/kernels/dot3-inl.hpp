// Double-double micro-kernels: sums in three numbers; compiled once per instruction set that has fused multiply-add.
//
// Groups of four products are added to one number with one error, in which only what is below 2^-103 of the group is
// lost; the groups are added without any loss that matters. That is cheaper than adding every product that way (13
// operations a product, not 22), and the bound is the group's own, however many there are.
#if defined(TRNTENSOR_HOST_KERNELS_DOT3_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_DOT3_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_DOT3_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_DOT3_INL_HPP
#endif

#include "hwy/highway.h"
#include "trntensor/host/kernels/pack-inl.hpp"
#include "trntensor/host/kernels/two_sum-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector of sums; see TripleSum in two_sum.hpp.
template <class V>
struct Triple {
  V sum;
  V correction;
  V rest;

  template <class D>
  HWY_INLINE void clear(D d) {
    sum = correction = rest = hn::Zero(d);
  }

  HWY_INLINE void multiply_add(V a, V b) {
    V error;
    const V product = two_product(a, b, error);
    add_with_error(product, error, sum, correction, rest);
  }

  /// += a0 b0 + a1 b1 + a2 b2 + a3 b3, but for at most 8 * 2^-106 of sum |a b|.
  HWY_INLINE void multiply_add(const V (&a)[4], const V (&b)[4]) {
    V e[4];
    V r[3];
    const V low = two_sum(two_product(a[0], b[0], e[0]), two_product(a[1], b[1], e[1]), r[0]);
    const V high = two_sum(two_product(a[2], b[2], e[2]), two_product(a[3], b[3], e[3]), r[1]);
    const V group = two_sum(low, high, r[2]);
    const V of_products = hn::Add(hn::Add(e[0], e[1]), hn::Add(e[2], e[3]));
    add_with_error(group, hn::Add(of_products, hn::Add(hn::Add(r[0], r[1]), r[2])), sum, correction, rest);
  }

  /// += other, and the numbers are made to follow each other, so that the rest never grows with the number of blocks.
  /// Sums that are not finite keep their value.
  template <class D>
  HWY_INLINE void add(D d, const Triple& other) {
    add_with_error(other.sum, other.correction, sum, correction, rest);
    rest = hn::Add(rest, other.rest);
    V left;
    V last;
    const V upper = two_sum(sum, correction, left);
    const V lower = two_sum(left, rest, last);
    const auto finite = hn::Eq(hn::Sub(upper, upper), hn::Zero(d));
    sum = hn::IfThenElse(finite, upper, sum);
    correction = hn::IfThenElse(finite, lower, correction);
    rest = hn::IfThenElse(finite, last, rest);
  }
};

/// Where the three numbers of a row of sums are: `distance` apart.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void add_to_tile(D d, Triple<V> total, double* tile, std::int64_t distance, bool resume) {
  Triple<V> old;
  old.clear(d);
  if (resume) {
    old.sum = hn::LoadU(d, tile);
    old.correction = hn::LoadU(d, tile + distance);
    old.rest = hn::LoadU(d, tile + 2 * distance);
  }
  total.add(d, old);
  hn::StoreU(total.sum, d, tile);
  hn::StoreU(total.correction, d, tile + distance);
  hn::StoreU(total.rest, d, tile + 2 * distance);
}

template <int kMR, int kVectors>
void gemm_dot3(const KernelArgs& args) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kNR = kVectors * kLanes;
  const double* HWY_RESTRICT a = static_cast<const double*>(args.a);
  const double* HWY_RESTRICT b = static_cast<const double*>(args.b);
  double* tile = static_cast<double*>(args.c);
  Triple<V> total[kMR][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) total[i][j].clear(d);
  }
  std::int64_t p = args.k;
  for (; p >= 4; p -= 4, a += 4 * kMR, b += 4 * kNR) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      const double* from = b + j * kLanes;
      const V steps[4] = {hn::Load(d, from), hn::Load(d, from + kNR), hn::Load(d, from + 2 * kNR),
                          hn::Load(d, from + 3 * kNR)};
#pragma GCC unroll 8
      for (int i = 0; i < kMR; ++i) {
        const V factors[4] = {hn::Set(d, a[i]), hn::Set(d, a[kMR + i]), hn::Set(d, a[2 * kMR + i]),
                              hn::Set(d, a[3 * kMR + i])};
        total[i][j].multiply_add(factors, steps);
      }
    }
  }
  for (; p > 0; --p, a += kMR, b += kNR) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      const V step = hn::Load(d, b + j * kLanes);
#pragma GCC unroll 8
      for (int i = 0; i < kMR; ++i) total[i][j].multiply_add(hn::Set(d, a[i]), step);
    }
  }
  const bool resume = *static_cast<const double*>(args.beta) != 0.0;
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      add_to_tile(d, total[i][j], tile + i * kNR + j * kLanes, std::int64_t{kMR} * kNR, resume);
    }
  }
}

/// Two steps make four products of each part.
template <class V>
struct ComplexTriple {
  Triple<V> re;
  Triple<V> im;
};

/// Adds to a row of the tile, which holds real and imaginary parts in turn.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void add_to_tile(D d, const ComplexTriple<V>& total, double* tile, std::int64_t distance, bool resume) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  HWY_ALIGN double re[3 * kLanes];
  HWY_ALIGN double im[3 * kLanes];
  for (int n = 0; n < 3 && resume; ++n) {
    V old_re;
    V old_im;
    hn::LoadInterleaved2(d, tile + n * distance, old_re, old_im);
    hn::Store(old_re, d, re + n * kLanes);
    hn::Store(old_im, d, im + n * kLanes);
  }
  add_to_tile(d, total.re, re, kLanes, resume);
  add_to_tile(d, total.im, im, kLanes, resume);
  for (int n = 0; n < 3; ++n) {
    hn::StoreInterleaved2(hn::Load(d, re + n * kLanes), hn::Load(d, im + n * kLanes), d, tile + n * distance);
  }
}

template <int kMR>
void gemm_complex_dot3(const KernelArgs& args) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kNR = static_cast<int>(hn::MaxLanes(d));
  const double* HWY_RESTRICT a = static_cast<const double*>(args.a);
  const double* HWY_RESTRICT b = static_cast<const double*>(args.b);
  double* tile = static_cast<double*>(args.c);
  ComplexTriple<V> total[kMR];
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
    total[i].re.clear(d);
    total[i].im.clear(d);
  }
  std::int64_t p = args.k;
  for (; p >= 2; p -= 2, a += 4 * kMR, b += 4 * kNR) {
    const V re0 = hn::Load(d, b);
    const V im0 = hn::Load(d, b + kNR);
    const V re1 = hn::Load(d, b + 2 * kNR);
    const V im1 = hn::Load(d, b + 3 * kNR);
#pragma GCC unroll 8
    for (int i = 0; i < kMR; ++i) {
      const double* step = a + 2 * i;
      const V a_re0 = hn::Set(d, step[0]);
      const V a_im0 = hn::Set(d, step[1]);
      const V a_re1 = hn::Set(d, step[2 * kMR]);
      const V a_im1 = hn::Set(d, step[2 * kMR + 1]);
      total[i].re.multiply_add({a_re0, hn::Neg(a_im0), a_re1, hn::Neg(a_im1)}, {re0, im0, re1, im1});
      total[i].im.multiply_add({a_re0, a_im0, a_re1, a_im1}, {im0, re0, im1, re1});
    }
  }
  if (p > 0) {
    const V re = hn::Load(d, b);
    const V im = hn::Load(d, b + kNR);
#pragma GCC unroll 8
    for (int i = 0; i < kMR; ++i) {
      const V a_re = hn::Set(d, a[2 * i]);
      const V a_im = hn::Set(d, a[2 * i + 1]);
      total[i].re.multiply_add(a_re, re);
      total[i].re.multiply_add(hn::Neg(a_im), im);
      total[i].im.multiply_add(a_re, im);
      total[i].im.multiply_add(a_im, re);
    }
  }
  const bool resume = *static_cast<const double*>(args.beta) != 0.0;
#pragma GCC unroll 8
  for (int i = 0; i < kMR; ++i) {
    add_to_tile(d, total[i], tile + 2 * i * kNR, std::int64_t{2} * kMR * kNR, resume);
  }
}

template <int kMR, int kVectors>
KernelFunctions dot3_kernel() {
  constexpr int kNR = kVectors * static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>()));
  return {kMR,
          kNR,
          kNR,
          false,
          false,
          {&gemm_dot3<kMR, kVectors>},
          &pack_whole<std::uint64_t, kMR>,
          &pack_whole<std::uint64_t, kNR>};
}

template <int kMR>
KernelFunctions complex_dot3_kernel() {
  constexpr int kNR = static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>()));
  return {kMR, kNR, kNR, false, false, {&gemm_complex_dot3<kMR>}, &pack_whole<Wide, kMR>, &pack_split<double, kNR>};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
