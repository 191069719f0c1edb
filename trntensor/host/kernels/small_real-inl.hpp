// Small products of real and integer types; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_SMALL_REAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_SMALL_REAL_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_SMALL_REAL_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_SMALL_REAL_INL_HPP
#endif

#include "trntensor/host/kernels/small-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE V small_multiply_add(V a, V b, V c) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::MulAdd(a, b, c);
  } else {
    return hn::Add(hn::Mul(a, b), c);
  }
}

/// kRows x kVectors sums stay in registers; the last vector of a row may be a rest.
template <typename T, int kRows, int kVectors>
void small_real_block(const SmallShape& shape, const SmallData& data, const T* a, const T* b, T* out,
                      std::int64_t columns) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kLast = kVectors - 1;
  const FirstLanes<decltype(d)> rest(d, columns - kLast * kLanes);
  V sum[kRows][kVectors];
  std::int64_t row[kRows];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    row[i] = i * shape.a_row;
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::Set(d, nothing<T>());
  }
  for (std::int64_t p = shape.k; p > 0; --p) {
    V step[kVectors];
#pragma GCC unroll 4
    for (int j = 0; j < kLast; ++j) step[j] = hn::LoadU(d, b + j * kLanes);
    step[kLast] = rest.load(d, b + kLast * kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const V factor = hn::Set(d, element(a + row[i]));
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) sum[i][j] = small_multiply_add(factor, step[j], sum[i][j]);
    }
    a += shape.a_step;
    b += shape.b_step;
  }
  const std::int64_t out_row = shape.out_row;
  if (data.alpha == nullptr) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i, out += out_row) {
#pragma GCC unroll 4
      for (int j = 0; j < kLast; ++j) hn::StoreU(sum[i][j], d, out + j * kLanes);
      rest.store(sum[i][kLast], d, out + kLast * kLanes);
    }
    return;
  }
  const V alpha = hn::Set(d, element(static_cast<const T*>(data.alpha)));
  const T beta = element(static_cast<const T*>(data.beta));
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i, out += out_row) {
#pragma GCC unroll 4
    for (int j = 0; j < kLast; ++j) {
      V value = hn::Mul(alpha, sum[i][j]);
      if (beta != T{0}) value = small_multiply_add(hn::Set(d, beta), hn::LoadU(d, out + j * kLanes), value);
      hn::StoreU(value, d, out + j * kLanes);
    }
    V value = hn::Mul(alpha, sum[i][kLast]);
    if (beta != T{0}) value = small_multiply_add(hn::Set(d, beta), rest.load(d, out + kLast * kLanes), value);
    rest.store(value, d, out + kLast * kLanes);
  }
}

template <typename Real, int kMaxRows, int kMaxVectors>
struct RealBlocks {
  using T = Real;
  static constexpr std::int64_t kParts = 1;
  static constexpr std::int64_t kRows = kMaxRows;
  static constexpr std::int64_t kVectors = kMaxVectors;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));

  template <typename Indices>
  struct Table;
  template <std::size_t... kIndex>
  struct Table<std::index_sequence<kIndex...>> {
    static constexpr SmallBlock<T> kBlocks[] = {&small_real_block<T, static_cast<int>(kIndex) / kMaxVectors + 1,
                                                                  static_cast<int>(kIndex) % kMaxVectors + 1>...};
  };
  static constexpr const SmallBlock<T>* kTable = Table<std::make_index_sequence<kMaxRows * kMaxVectors>>::kBlocks;
};

template <typename T, int kMaxRows, int kMaxVectors>
SmallKernel small_real_kernel() {
  using Blocks = RealBlocks<T, kMaxRows, kMaxVectors>;
  return {&run_small<Blocks>, kMaxRows, kMaxVectors * Blocks::kLanes, Blocks::kLanes, {}};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
