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

/// out = alpha * tile + beta * out.
template <typename T>
HWY_NOINLINE void finish_small_real(const SmallShape& shape, const SmallData& data, const Tile<T>& tile, T* out) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const auto alpha = hn::Set(d, load_one(static_cast<const T*>(data.alpha)));
  const T beta = load_one(static_cast<const T*>(data.beta));
  for (std::int64_t i = 0; i < tile.rows; ++i) {
    for (std::int64_t j = 0; j < tile.columns; j += kLanes) {
      const FirstLanes<decltype(d)> lanes(d, std::min(kLanes, tile.columns - j));
      T* to = out + i * shape.out_row + j;
      auto value = hn::Mul(alpha, lanes.load(d, tile.sums + i * tile.row + j));
      if (beta != T{0}) value = multiply_add(hn::Set(d, beta), lanes.load(d, to), value);
      lanes.store(value, d, to);
    }
  }
}

/// kRows x kVectors sums stay in registers; the last vector of a row may be a rest. Sums that are to be scaled go
/// through a tile on the stack.
template <typename Number>
struct RealBlock {
  using T = Number;
  static constexpr std::int64_t kParts = 1;

  template <int kRows, int kVectors>
  static void run(const SmallShape& shape, const SmallData& data, const T* a, const T* b, T* out,
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
        const V factor = hn::Set(d, load_one(a + row[i]));
#pragma GCC unroll 4
        for (int j = 0; j < kVectors; ++j) sum[i][j] = multiply_add(factor, step[j], sum[i][j]);
      }
      a += shape.a_step;
      b += shape.b_step;
    }
    const bool scales = data.alpha != nullptr;
    alignas(64) T tile[kRows * kVectors * kLanes];
    T* to = scales ? tile : out;
    const std::int64_t to_row = scales ? kVectors * kLanes : shape.out_row;
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i, to += to_row) {
#pragma GCC unroll 4
      for (int j = 0; j < kLast; ++j) hn::StoreU(sum[i][j], d, to + j * kLanes);
      rest.store(sum[i][kLast], d, to + kLast * kLanes);
    }
    if (scales) finish_small_real(shape, data, Tile<T>{tile, kVectors * kLanes, kRows, columns}, out);
  }
};

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
