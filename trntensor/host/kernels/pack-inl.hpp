// Packing of panels from memory of any strides; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_PACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_PACK_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_PACK_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_PACK_INL_HPP
#endif

#include <algorithm>
#include <complex>
#include <cstring>

#include "hwy/highway.h"
#include "trntensor/host/kernels/first_lanes-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// An element of 16 bytes, moved as a whole.
struct Wide {
  std::uint64_t low;
  std::uint64_t high;
};

/// The most lanes that fit a vector and divide kWidth.
template <typename T, int kWidth>
constexpr int copy_lanes() {
  int lanes = static_cast<int>(HWY_MAX_BYTES / sizeof(T));
  while (lanes > 1 && kWidth % lanes != 0) lanes /= 2;
  return lanes;
}

template <typename T, int kWidth>
HWY_INLINE void copy_step(const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
  if constexpr (sizeof(T) == sizeof(Wide)) {
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), kWidth * sizeof(T));
  } else {
    constexpr int kLanes = copy_lanes<T, kWidth>();
    const hn::CappedTag<T, kLanes> d;
    for (int i = 0; i < kWidth; i += kLanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  }
}

/// Side by side along the lanes, in one piece (whole panels) or several.
template <typename T, int kWidth>
HWY_INLINE void pack_along_lanes(const PackArgs& args, T* HWY_RESTRICT panel) {
  const T* source = static_cast<const T*>(args.source);
  const std::int64_t* steps = args.steps->offsets;
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  if (args.lane_count == kWidth && args.lanes->run_length(args.first_lane) >= kWidth) {
    for (std::int64_t p = 0; p < args.steps->count; ++p) {
      copy_step<T, kWidth>(source + lanes[0] + steps[p], panel + p * kWidth);
    }
    return;
  }
  std::memset(static_cast<void*>(panel), 0, static_cast<std::size_t>(args.steps->count) * kWidth * sizeof(T));
  for (std::int64_t i = 0; i < args.lane_count;) {
    const std::int64_t run = std::min(args.lanes->run_length(args.first_lane + i), args.lane_count - i);
    for (std::int64_t p = 0; p < args.steps->count; ++p) {
      std::memcpy(static_cast<void*>(panel + p * kWidth + i), static_cast<const void*>(source + lanes[i] + steps[p]),
                  static_cast<std::size_t>(run) * sizeof(T));
    }
    i += run;
  }
}

/// Turns a square, the elements from each of `lanes` on side by side, into its transpose, whose rows go to each of
/// `to`.
HWY_INLINE void transpose_square(const std::uint64_t* const* lanes, std::uint64_t* const* to) {
  const hn::CappedTag<std::uint64_t, 2> d;
  const auto row0 = hn::LoadU(d, lanes[0]);
  const auto row1 = hn::LoadU(d, lanes[1]);
  hn::StoreU(hn::InterleaveLower(d, row0, row1), d, to[0]);
  hn::StoreU(hn::InterleaveUpper(d, row0, row1), d, to[1]);
}

/// Four rows of a square as its columns.
template <class V>
HWY_INLINE void store_columns(V row0, V row1, V row2, V row3, std::uint32_t* const* to) {
  const hn::CappedTag<std::uint32_t, 4> d;
  const hn::CappedTag<std::uint64_t, 2> d64;
  const auto low01 = hn::BitCast(d64, hn::InterleaveLower(d, row0, row1));
  const auto high01 = hn::BitCast(d64, hn::InterleaveUpper(d, row0, row1));
  const auto low23 = hn::BitCast(d64, hn::InterleaveLower(d, row2, row3));
  const auto high23 = hn::BitCast(d64, hn::InterleaveUpper(d, row2, row3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, low01, low23)), d, to[0]);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, low01, low23)), d, to[1]);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, high01, high23)), d, to[2]);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, high01, high23)), d, to[3]);
}

HWY_INLINE void transpose_square(const std::uint32_t* const* lanes, std::uint32_t* const* to) {
  const hn::CappedTag<std::uint32_t, 4> d;
  store_columns(hn::LoadU(d, lanes[0]), hn::LoadU(d, lanes[1]), hn::LoadU(d, lanes[2]), hn::LoadU(d, lanes[3]), to);
}

/// `steps` side by side in memory from `source` on, for the lanes of one panel. Offsets of lanes count elements of S.
template <typename T, int kWidth, typename S>
HWY_INLINE void transpose_run(const S* source, const PackArgs& args, std::int64_t steps, T* HWY_RESTRICT panel) {
  constexpr int kSquare = 16 / sizeof(T);
  // One cache line of every lane at a time: with large power-of-two strides the lanes share a set of the L1 cache.
  constexpr std::int64_t kLine = 64 / sizeof(T);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const std::int64_t squares = args.lane_count / kSquare * kSquare;
  for (std::int64_t p0 = 0; p0 < steps; p0 += kLine) {
    const std::int64_t p_end = std::min(steps, p0 + kLine);
    for (std::int64_t i = 0; i < squares; i += kSquare) {
      const T* from[kSquare];
      for (int s = 0; s < kSquare; ++s) from[s] = reinterpret_cast<const T*>(source + lanes[i + s]) + p0;
      std::int64_t p = p0;
      for (; p + kSquare <= p_end; p += kSquare) {
        T* to[kSquare];
        for (int s = 0; s < kSquare; ++s) to[s] = panel + (p + s) * kWidth + i;
        transpose_square(from, to);
        for (int s = 0; s < kSquare; ++s) from[s] += kSquare;
      }
      for (; p < p_end; ++p) {
        for (int s = 0; s < kSquare; ++s) panel[p * kWidth + i + s] = load_one(from[s]++);
      }
    }
    for (std::int64_t i = squares; i < args.lane_count; ++i) {
      const T* from = reinterpret_cast<const T*>(source + lanes[i]);
      for (std::int64_t p = p0; p < p_end; ++p) panel[p * kWidth + i] = load_one(from + p);
    }
    for (std::int64_t p = p0; args.lane_count < kWidth && p < p_end; ++p) {
      for (std::int64_t i = args.lane_count; i < kWidth; ++i) panel[p * kWidth + i] = T{};
    }
  }
}

/// Side by side along the steps.
template <typename T, int kWidth>
HWY_INLINE void pack_along_steps(const PackArgs& args, T* HWY_RESTRICT panel) {
  const T* source = static_cast<const T*>(args.source);
  for (std::int64_t p = 0; p < args.steps->count;) {
    const std::int64_t run = args.steps->run_length(p);
    transpose_run<T, kWidth>(source + args.steps->offsets[p], args, run, panel + p * kWidth);
    p += run;
  }
}

/// Any strides.
template <typename T, int kWidth>
HWY_INLINE void pack_scattered(const PackArgs& args, T* HWY_RESTRICT panel) {
  const T* source = static_cast<const T*>(args.source);
  const std::int64_t* steps = args.steps->offsets;
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const std::int64_t step_count = args.steps->count;
  for (std::int64_t p = 0; p < step_count; ++p) {
    for (std::int64_t i = 0; i < args.lane_count; ++i) panel[p * kWidth + i] = load_one(source + lanes[i] + steps[p]);
    for (std::int64_t i = args.lane_count; i < kWidth; ++i) panel[p * kWidth + i] = T{};
  }
}

/// The panel that begins at lane `lane` of `args`.
template <typename T, int kWidth>
HWY_INLINE PackArgs panel_at(const PackArgs& args, std::int64_t lane) {
  PackArgs one = args;
  one.panel = static_cast<T*>(args.panel) + lane * args.steps->count;
  one.first_lane = args.first_lane + lane;
  one.lane_count = std::min<std::int64_t>(kWidth, args.lane_count - lane);
  return one;
}

/// Panels that are packed together when their lanes lie side by side: pages are far apart, lines longer than panels are
/// wide, and so many panels do not compete for one set of the first-level cache.
template <typename T, int kWidth>
constexpr std::int64_t kTogether = std::clamp<std::int64_t>(1024 / (kWidth * sizeof(T)), 2, 8);

template <typename T, int kWidth>
HWY_INLINE void pack_side_by_side(const PackArgs& args, std::int64_t panels) {
  const T* source = static_cast<const T*>(args.source) + args.lanes->offsets[args.first_lane];
  const std::int64_t panel_size = args.steps->count * kWidth;
  T* HWY_RESTRICT to = static_cast<T*>(args.panel);
  for (std::int64_t p = 0; p < args.steps->count; ++p, to += kWidth) {
    const T* from = source + args.steps->offsets[p];
    for (std::int64_t i = 0; i < panels; ++i) copy_step<T, kWidth>(from + i * kWidth, to + i * panel_size);
  }
}

template <typename T, int kWidth>
HWY_INLINE void pack_panel(const PackArgs& args) {
  T* panel = static_cast<T*>(args.panel);
  if (args.lanes->inner_stride == 1 || args.lane_count == 1) {
    pack_along_lanes<T, kWidth>(args, panel);
    return;
  }
  if constexpr (sizeof(T) < sizeof(Wide)) {
    if (args.steps->inner_stride == 1) {
      pack_along_steps<T, kWidth>(args, panel);
      return;
    }
  }
  pack_scattered<T, kWidth>(args, panel);
}

/// Packs elements of any type of 4, 8 or 16 bytes as they are.
template <typename T, int kWidth>
void pack_whole(const PackArgs& args) {
  for (std::int64_t lane = 0; lane < args.lane_count;) {
    const PackArgs panel = panel_at<T, kWidth>(args, lane);
    std::int64_t panels = 1;
    if (args.lanes->inner_stride == 1) {
      const std::int64_t run = std::min(args.lanes->run_length(panel.first_lane), args.lane_count - lane);
      panels = std::clamp<std::int64_t>(run / kWidth, 1, kTogether<T, kWidth>);
    }
    if (panels > 1) {
      pack_side_by_side<T, kWidth>(panel, panels);
    } else {
      pack_panel<T, kWidth>(panel);
    }
    lane += panels * kWidth;
  }
}

/// Complex elements as kWidth real parts, then kWidth imaginary parts, for each step.
template <typename Real, int kWidth>
HWY_INLINE void pack_split_panel(const PackArgs& args) {
  const Real* source = static_cast<const Real*>(args.source);
  Real* HWY_RESTRICT panel = static_cast<Real*>(args.panel);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const hn::ScalableTag<Real> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  static_assert(kWidth % kLanes == 0);
  const bool whole = args.lane_count == kWidth && args.lanes->is_contiguous(args.first_lane, kWidth);
  for (std::int64_t p = 0; p < args.steps->count; ++p, panel += 2 * kWidth) {
    const Real* from = source + 2 * args.steps->offsets[p];
    if (whole) {
      for (int i = 0; i < kWidth; i += kLanes) {
        hn::Vec<decltype(d)> re;
        hn::Vec<decltype(d)> im;
        hn::LoadInterleaved2(d, from + 2 * (lanes[0] + i), re, im);
        hn::Store(re, d, panel + i);
        hn::Store(im, d, panel + kWidth + i);
      }
      continue;
    }
    for (std::int64_t i = 0; i < args.lane_count; ++i) {
      panel[i] = load_one(from + 2 * lanes[i]);
      panel[kWidth + i] = load_one(from + 2 * lanes[i] + 1);
    }
    for (std::int64_t i = args.lane_count; i < kWidth; ++i) panel[i] = panel[kWidth + i] = Real{0};
  }
}

template <typename Real, int kWidth>
void pack_split(const PackArgs& args) {
  for (std::int64_t lane = 0; lane < args.lane_count; lane += kWidth) {
    pack_split_panel<Real, kWidth>(panel_at<std::complex<Real>, kWidth>(args, lane));
  }
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
