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
#include "trntensor/host/kernels/first_lanes-inl.hpp"
#include "trntensor/host/kernels/pack_boxes-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Steps of the sum that take as long as fetching the tile of C from memory.
constexpr std::int64_t kStepsAhead = 48;

/// Panels of B come from L2: this many steps are fetched before they are used.
constexpr int kBStepsAhead = 8;

/// True when each row of the tile is one piece of whole vectors: the most frequent case takes no decision for each.
template <class D, int kVectors>
HWY_INLINE bool rows_are_whole(D d, const KernelArgs& args) {
  constexpr auto kHalf = static_cast<std::int64_t>(hn::MaxLanes(d) / 2);
  bool whole = args.column_count == 2 * kHalf * kVectors;
#pragma GCC unroll 8
  for (int j = 1; j < 2 * kVectors; ++j) whole = whole && args.pieces[j] == args.pieces[0] + j * kHalf;
  return whole;
}

/// Fetches the tile of C for writing.
template <typename T, int kRows, int kVectors>
HWY_INLINE void prefetch_tile(const KernelArgs& args, bool whole) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  if (args.is_streamed) return;
  const T* c = static_cast<const T*>(args.c);
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    if (i == args.row_count) return;
    const T* row = c + args.rows[i];
    if (whole) {
#pragma GCC unroll 4
      for (int j = 0; j < kVectors; ++j) hwy::Prefetch(row + args.pieces[0] + j * kLanes);
    } else {
#pragma GCC unroll 8
      for (int j = 0; j < 2 * kVectors; ++j) hwy::Prefetch(row + args.pieces[j]);
    }
    hwy::Prefetch(row + args.pieces[2 * kVectors - 1] + kLanes / 2 - 1);
  }
}

/// Writes sums to C: scaled, the rest of the last vector under a mask.
template <class D>
class SumWriter {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  /// Halves of vectors of 16 bytes cannot be written past the caches, and lines must not be written both ways.
  static constexpr bool kCanStream = sizeof(V) > 16;

  HWY_INLINE SumWriter(D d, const KernelArgs& args, std::int64_t rest)
      : alpha_(hn::Set(d, *static_cast<const T*>(args.alpha))),
        beta_(hn::Set(d, *static_cast<const T*>(args.beta))),
        reads_c_(*static_cast<const T*>(args.beta) != T{0}),
        is_streamed_(args.is_streamed && kCanStream),
        rest_(d, rest) {}

  /// A whole row, through the caches.
  template <int kVectors>
  HWY_INLINE void write_row(D d, const V* sums, T* to) const {
    constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
#pragma GCC unroll 4
    for (int j = 0; j < kVectors; ++j) {
      V value = hn::Mul(alpha_, sums[j]);
      if (reads_c_) value = multiply_add(beta_, hn::LoadU(d, to + j * kLanes), value);
      hn::StoreU(value, d, to + j * kLanes);
    }
  }

  /// The halves of the vector go to row + pieces[0] and row + pieces[1].
  HWY_INLINE void write(D d, V sum, T* row, const std::int64_t* pieces) const {
    const hn::Half<D> half;
    constexpr auto kHalf = static_cast<std::int64_t>(hn::MaxLanes(half));
    V value = hn::Mul(alpha_, sum);
    T* to = row + pieces[0];
    if (pieces[1] == pieces[0] + kHalf) {
      if (reads_c_) value = multiply_add(beta_, hn::LoadU(d, to), value);
      put(d, value, to);
      return;
    }
    T* upper = row + pieces[1];
    if (reads_c_) {
      const V old = hn::Combine(d, hn::LoadU(half, upper), hn::LoadU(half, to));
      value = multiply_add(beta_, old, value);
    }
    put_half(half, hn::LowerHalf(half, value), to);
    put_half(half, hn::UpperHalf(half, value), upper);
  }

  HWY_INLINE void write_rest(D d, V sum, T* to) const {
    V value = hn::Mul(alpha_, sum);
    if (is_streamed_) {  // the rest is then half a vector
      const hn::Half<D> half;
      hn::Stream(hn::LowerHalf(half, value), half, to);
      return;
    }
    if (reads_c_) value = multiply_add(beta_, rest_.load(d, to), value);
    rest_.store(value, d, to);
  }

 private:
  HWY_INLINE void put(D d, V value, T* to) const {
    if (!is_streamed_) {
      hn::StoreU(value, d, to);
    } else if (reinterpret_cast<std::uintptr_t>(to) % sizeof(V) == 0) {
      hn::Stream(value, d, to);
    } else {  // halves are aligned in any case
      const hn::Half<D> half;
      hn::Stream(hn::LowerHalf(half, value), half, to);
      hn::Stream(hn::UpperHalf(half, value), half, to + hn::MaxLanes(half));
    }
  }

  template <class HalfD>
  HWY_INLINE void put_half(HalfD d, hn::Vec<HalfD> value, T* to) const {
    if (is_streamed_) {
      hn::Stream(value, d, to);
    } else {
      hn::StoreU(value, d, to);
    }
  }

  V alpha_;
  V beta_;
  bool reads_c_;
  bool is_streamed_;
  FirstLanes<D> rest_;
};

/// Writes the rows and columns of a tile that there are.
template <class D, int kMR, int kUsed>
HWY_INLINE void write_tile(D d, const KernelArgs& args, const hn::Vec<D> (&sums)[kMR][kUsed], bool rows_are_whole) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  auto* c = static_cast<hn::TFromD<D>*>(args.c);
  const std::int64_t rest = args.column_count - (kUsed - 1) * kLanes;
  const SumWriter<D> writer(d, args, rest);
  if (rows_are_whole && !args.is_streamed) {
#pragma GCC unroll 16
    for (int i = 0; i < kMR; ++i) {
      if (i == args.row_count) break;
      writer.template write_row<kUsed>(d, sums[i], c + args.rows[i] + args.pieces[0]);
    }
    return;
  }
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
    if (i == args.row_count) break;
    auto* row = c + args.rows[i];
#pragma GCC unroll 4
    for (int j = 0; j + 1 < kUsed; ++j) writer.write(d, sums[i][j], row, args.pieces + 2 * j);
    if (rest == kLanes) {
      writer.write(d, sums[i][kUsed - 1], row, args.pieces + 2 * (kUsed - 1));
    } else {
      writer.write_rest(d, sums[i][kUsed - 1], row + args.pieces[2 * (kUsed - 1)]);
    }
  }
}

/// Where a kernel finds A: packed, or in rows that are as far apart as they like.
template <typename T, int kMR, bool kPacked>
class RowsOfA {
 public:
  HWY_INLINE explicit RowsOfA(const KernelArgs& args) : a_(static_cast<const T*>(args.a)) {}
  HWY_INLINE T row(int i) const { return a_[i]; }
  HWY_INLINE void next_step() { a_ += kMR; }

 private:
  const T* HWY_RESTRICT a_;
};

template <typename T, int kMR>
class RowsOfA<T, kMR, false> {
 public:
  HWY_INLINE explicit RowsOfA(const KernelArgs& args) : step_(args.a_step) {
#pragma GCC unroll 16
    for (int i = 0; i < kMR; ++i) rows_[i] = static_cast<const T*>(args.a) + args.a_rows[i];
  }
  HWY_INLINE T row(int i) const { return load_one(rows_[i] + at_); }
  HWY_INLINE void next_step() { at_ += step_; }

 private:
  const T* rows_[kMR];
  std::int64_t at_ = 0;
  std::int64_t step_;
};

/// Accumulators, one broadcast element of A and a step of B stay in registers: kMR * kVectors + kVectors + 1 of them.
/// Per step 1 load for each row and each vector feed kMR * kVectors multiply-adds. kUsed of the vectors are computed.
template <typename T, int kMR, int kVectors, int kUsed, bool kPacked>
void gemm_real_from(const KernelArgs& args) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  RowsOfA<T, kMR, kPacked> a(args);
  const T* HWY_RESTRICT b = static_cast<const T*>(args.b);
  const std::int64_t b_step = args.b_step;
  const T* b_ahead = b + kBStepsAhead * b_step;
  const bool fetches = args.ahead != nullptr;
  const std::byte* ahead = fetches ? args.ahead : static_cast<const std::byte*>(args.a);
  const std::int64_t ahead_step = fetches ? kAheadStep : 0;
  V acc[kMR][kUsed];
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) acc[i][j] = hn::Zero(d);
  }
  const bool whole = rows_are_whole<decltype(d), kUsed>(d, args);
  // The tile of C is fetched near the end: at the start, the panels would push it out of L1 again.
  std::int64_t steps = std::max<std::int64_t>(args.k - kStepsAhead, 0);
  for (std::int64_t left = args.k;;) {
    left -= steps;
    for (const T* end = b + steps * b_step; b != end; b += b_step, b_ahead += b_step) {  // no register for a counter
      V b_vectors[kUsed];
#pragma GCC unroll 4
      for (int j = 0; j < kUsed; ++j) {
        b_vectors[j] = hn::LoadU(d, b + j * kLanes);
        hwy::Prefetch(b_ahead + j * kLanes);
      }
#pragma GCC unroll 16
      for (int i = 0; i < kMR; ++i) {
        const V a_row = hn::Set(d, a.row(i));
#pragma GCC unroll 4
        for (int j = 0; j < kUsed; ++j) acc[i][j] = multiply_add(a_row, b_vectors[j], acc[i][j]);
      }
      a.next_step();
      __builtin_prefetch(ahead, 0, 2);
      ahead += ahead_step;
    }
    if (left == 0) break;
    steps = left;
    prefetch_tile<T, kMR, kUsed>(args, whole);
  }
  write_tile(d, args, acc, whole);
}

template <typename T, int kMR, int kVectors, int kUsed>
void gemm_real(const KernelArgs& args) {
  if (args.a_rows == nullptr) {
    gemm_real_from<T, kMR, kVectors, kUsed, true>(args);
  } else {
    gemm_real_from<T, kMR, kVectors, kUsed, false>(args);
  }
}

template <typename T, int kMR, int kVectors>
KernelFunctions real_kernel() {
  using Bits = hwy::MakeUnsigned<T>;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  constexpr int kNR = kVectors * kLanes;
  KernelFunctions functions{kMR,
                            kNR,
                            kLanes,
                            true,
                            true,
                            {},
                            &pack_whole<Bits, kMR>,
                            &pack_whole<Bits, kNR>,
                            &pack_boxes<Bits, kMR>,
                            &pack_boxes<Bits, kNR>};
  functions.run[0] = &gemm_real<T, kMR, kVectors, 1>;
  if constexpr (kVectors > 1) functions.run[1] = &gemm_real<T, kMR, kVectors, 2>;
  if constexpr (kVectors > 2) functions.run[2] = &gemm_real<T, kMR, kVectors, 3>;
  return functions;
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
