// Small products of complex types; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_SMALL_COMPLEX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_SMALL_COMPLEX_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_SMALL_COMPLEX_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_SMALL_COMPLEX_INL_HPP
#endif

#include "trntensor/host/kernels/small-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// re + i im, elementwise products with the two parts of a factor: (re.x - im.y, re.y + im.x).
template <class D>
HWY_INLINE hn::Vec<D> join_parts(D d, hn::Vec<D> re, hn::Vec<D> im) {
  const auto turned = hn::Reverse2(d, im);
  return hn::OddEven(hn::Add(re, turned), hn::Sub(re, turned));
}

/// factor * value. A factor without imaginary part scales the parts apart: as a full product it would turn an infinite
/// part times 0 into NaN.
template <class D>
HWY_INLINE hn::Vec<D> scale_parts(D d, const hn::TFromD<D>* factor, hn::Vec<D> value) {
  const auto re = load_one(factor);
  const auto im = load_one(factor + 1);
  const auto scaled = hn::Mul(hn::Set(d, re), value);
  return im == 0 ? scaled : join_parts(d, scaled, hn::Mul(hn::Set(d, im), value));
}

/// out = alpha * tile + beta * out.
template <typename T>
HWY_NOINLINE void finish_small_complex(const SmallShape& shape, const SmallData& data, const Tile<T>& tile, T* out) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const T* alpha = static_cast<const T*>(data.alpha);
  const T* beta = static_cast<const T*>(data.beta);
  const bool adds = load_one(beta) != 0 || load_one(beta + 1) != 0;
  for (std::int64_t i = 0; i < tile.rows; ++i) {
    for (std::int64_t j = 0; j < tile.columns; j += kLanes) {
      const FirstLanes<decltype(d)> lanes(d, std::min(kLanes, tile.columns - j));
      T* to = out + 2 * i * shape.out_row + j;
      auto value = scale_parts(d, alpha, lanes.load(d, tile.sums + i * tile.row + j));
      if (adds) value = hn::Add(value, scale_parts(d, beta, lanes.load(d, to)));
      lanes.store(value, d, to);
    }
  }
}

/// Parts side by side as in memory; for every vector of the result two sums stay in registers, of b times the real and
/// b times the imaginary parts of a.
template <typename Number>
struct ComplexBlock {
  using T = Number;
  static constexpr std::int64_t kParts = 2;

  template <int kRows, int kVectors>
  static void run(const SmallShape& shape, const SmallData& data, const T* a, const T* b, T* out,
                  std::int64_t columns) {
    const hn::ScalableTag<T> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
    constexpr int kLast = kVectors - 1;
    const FirstLanes<decltype(d)> rest(d, 2 * columns - kLast * kLanes);
    V re[kRows][kVectors];
    V im[kRows][kVectors];
    std::int64_t row[kRows];
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      row[i] = 2 * i * shape.a_row;
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) re[i][j] = im[i][j] = hn::Set(d, nothing<T>());
    }
    for (std::int64_t p = shape.k; p > 0; --p) {
      V step[kVectors];
#pragma GCC unroll 4
      for (int j = 0; j < kLast; ++j) step[j] = hn::LoadU(d, b + j * kLanes);
      step[kLast] = rest.load(d, b + kLast * kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const V a_re = hn::Set(d, load_one(a + row[i]));
        const V a_im = hn::Set(d, load_one(a + row[i] + 1));
#pragma GCC unroll 4
        for (int j = 0; j < kVectors; ++j) {
          re[i][j] = hn::MulAdd(a_re, step[j], re[i][j]);
          im[i][j] = hn::MulAdd(a_im, step[j], im[i][j]);
        }
      }
      a += 2 * shape.a_step;
      b += 2 * shape.b_step;
    }
    const bool scales = data.alpha != nullptr;
    alignas(64) T tile[kRows * kVectors * kLanes];
    T* to = scales ? tile : out;
    const std::int64_t to_row = scales ? kVectors * kLanes : 2 * shape.out_row;
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i, to += to_row) {
#pragma GCC unroll 4
      for (int j = 0; j < kLast; ++j) hn::StoreU(join_parts(d, re[i][j], im[i][j]), d, to + j * kLanes);
      rest.store(join_parts(d, re[i][kLast], im[i][kLast]), d, to + kLast * kLanes);
    }
    if (scales) finish_small_complex(shape, data, Tile<T>{tile, kVectors * kLanes, kRows, 2 * columns}, out);
  }
};

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
