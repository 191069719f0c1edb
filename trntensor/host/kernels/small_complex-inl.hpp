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
  const auto re = element(factor);
  const auto im = element(factor + 1);
  const auto scaled = hn::Mul(hn::Set(d, re), value);
  return im == 0 ? scaled : join_parts(d, scaled, hn::Mul(hn::Set(d, im), value));
}

/// alpha * value + beta * old.
template <class D>
HWY_INLINE hn::Vec<D> finish_parts(D d, const SmallData& data, hn::Vec<D> value, bool adds, hn::Vec<D> old) {
  using T = hn::TFromD<D>;
  if (data.alpha == nullptr) return value;
  value = scale_parts(d, static_cast<const T*>(data.alpha), value);
  return adds ? hn::Add(value, scale_parts(d, static_cast<const T*>(data.beta), old)) : value;
}

/// Parts side by side as in memory; for every vector of the result two sums stay in registers, of b times the real and
/// b times the imaginary parts of a.
template <typename T, int kRows, int kVectors>
void small_complex_block(const SmallShape& shape, const SmallData& data, const T* a, const T* b, T* out,
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
      const V a_re = hn::Set(d, element(a + row[i]));
      const V a_im = hn::Set(d, element(a + row[i] + 1));
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) {
        re[i][j] = hn::MulAdd(a_re, step[j], re[i][j]);
        im[i][j] = hn::MulAdd(a_im, step[j], im[i][j]);
      }
    }
    a += 2 * shape.a_step;
    b += 2 * shape.b_step;
  }
  const std::int64_t out_row = 2 * shape.out_row;
  const T* beta = static_cast<const T*>(data.beta);
  const bool adds = data.alpha != nullptr && (element(beta) != 0 || element(beta + 1) != 0);
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i, out += out_row) {
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      T* to = out + j * kLanes;
      V old = hn::Zero(d);
      if (adds) old = j == kLast ? rest.load(d, to) : hn::LoadU(d, to);
      const V value = finish_parts(d, data, join_parts(d, re[i][j], im[i][j]), adds, old);
      if (j == kLast) {
        rest.store(value, d, to);
      } else {
        hn::StoreU(value, d, to);
      }
    }
  }
}

template <typename Real, int kMaxRows, int kMaxVectors>
struct ComplexBlocks {
  using T = Real;
  static constexpr std::int64_t kParts = 2;
  static constexpr std::int64_t kRows = kMaxRows;
  static constexpr std::int64_t kVectors = kMaxVectors;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>())) / 2;

  template <typename Indices>
  struct Table;
  template <std::size_t... kIndex>
  struct Table<std::index_sequence<kIndex...>> {
    static constexpr SmallBlock<T> kBlocks[] = {&small_complex_block<T, static_cast<int>(kIndex) / kMaxVectors + 1,
                                                                     static_cast<int>(kIndex) % kMaxVectors + 1>...};
  };
  static constexpr const SmallBlock<T>* kTable = Table<std::make_index_sequence<kMaxRows * kMaxVectors>>::kBlocks;
};

template <typename T, int kMaxRows, int kMaxVectors>
SmallKernel small_complex_kernel() {
  using Blocks = ComplexBlocks<T, kMaxRows, kMaxVectors>;
  return {&run_small<Blocks>, kMaxRows, kMaxVectors * Blocks::kLanes, Blocks::kLanes, {}};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
