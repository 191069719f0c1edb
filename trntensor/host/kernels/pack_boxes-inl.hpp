// Packing of boxes of lanes whose neighbours in memory belong to different panels; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_PACK_BOXES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_PACK_BOXES_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_PACK_BOXES_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_PACK_BOXES_INL_HPP
#endif

#include <algorithm>
#include <cstring>

#include "hwy/cache_control.h"
#include "trntensor/host/kernels/pack-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lines of each lane that are fetched before they are read: they are too far apart for the hardware to see a stream.
constexpr std::int64_t kBoxLinesAhead = 16;

/// Some lanes of a box, and where they go. An element T of a panel is one S of memory, or holds the S of several steps.
template <typename T, typename S = T>
struct BoxLanes {
  const S* source;
  const std::int64_t* offsets;  ///< of `count` lanes
  std::int64_t count;
  T* to[kMostAcross];  ///< step 0 of the first of these lanes, for each element across; the others follow
};

/// kCount lanes at one step: squares, then what they leave.
template <typename T, int kCount>
HWY_INLINE void pack_box_step(const BoxLanes<T>& lanes, std::int64_t across, std::int64_t from, std::int64_t to) {
  constexpr int kSquare = 16 / sizeof(T);
  std::int64_t q = 0;
  if constexpr (kCount > 1) {
    for (; q + kSquare <= across; q += kSquare) {
      for (int i = 0; i < kCount; i += kSquare) {
        const T* rows[kSquare];
        T* columns[kSquare];
        for (int s = 0; s < kSquare; ++s) {
          rows[s] = lanes.source + lanes.offsets[i + s] + from + q;
          columns[s] = lanes.to[q + s] + to + i;
        }
        transpose_square(rows, columns);
      }
    }
  }
  for (; q < across; ++q) {
    for (int i = 0; i < kCount; ++i) lanes.to[q][to + i] = load_one(lanes.source + lanes.offsets[i] + from + q);
  }
}

/// Steps from one that is packed to the one that is fetched meanwhile.
template <typename S>
HWY_INLINE std::int64_t box_steps_ahead(std::int64_t across) {
  constexpr std::int64_t kLine = 64 / sizeof(S);
  return std::max<std::int64_t>(1, kBoxLinesAhead * kLine / across);
}

template <typename T, typename S>
HWY_INLINE void fetch_box_step(const BoxLanes<T, S>& lanes, std::int64_t across, std::int64_t from) {
  constexpr std::int64_t kLine = 64 / sizeof(S);
  for (std::int64_t i = 0; i < lanes.count; ++i) {
    const S* next = lanes.source + lanes.offsets[i] + from;
    for (std::int64_t q = 0; q < across; q += kLine) hwy::Prefetch(next + q);
  }
}

/// All steps of kCount lanes. Elements that hold several steps have an overload of their own.
template <int kWidth, int kCount, typename T>
void pack_box_lanes(const PackBoxArgs& args, const BoxLanes<T>& lanes) {
  const std::int64_t* steps = args.steps->offsets;
  const std::int64_t ahead = box_steps_ahead<T>(args.across);
  for (std::int64_t p = 0; p < args.steps->count; ++p) {
    if (p + ahead < args.steps->count) fetch_box_step(lanes, args.across, steps[p + ahead]);
    pack_box_step<T, kCount>(lanes, args.across, steps[p], p * kWidth);
  }
}

/// The largest number of lanes that are packed together and never lie in two panels.
template <typename T, int kWidth>
constexpr int lanes_together() {
  constexpr int kSquare = 16 / sizeof(T);
  return kWidth % 8 == 0 ? 8 : kWidth % kSquare == 0 ? kSquare : 1;
}

template <typename T, int kWidth, typename S>
void pack_box(const PackBoxArgs& args, std::int64_t first_lane, std::int64_t panel) {
  constexpr int kTogether = lanes_together<T, kWidth>();
  const bool is_aligned = args.along % kTogether == 0 && first_lane % kTogether == 0;
  const std::int64_t together = is_aligned ? kTogether : 1;
  for (std::int64_t i = 0; i < args.along; i += together) {
    BoxLanes<T, S> lanes;
    lanes.source = static_cast<const S*>(args.source);
    lanes.offsets = args.lanes->offsets + first_lane + i;
    lanes.count = together;
    for (std::int64_t q = 0; q < args.across; ++q) {
      const std::int64_t lane = first_lane + q * args.along + i;
      lanes.to[q] = static_cast<T*>(args.panels) + lane / kWidth * panel + lane % kWidth;
    }
    if (is_aligned) {
      pack_box_lanes<kWidth, kTogether>(args, lanes);
    } else {
      pack_box_lanes<kWidth, 1>(args, lanes);
    }
  }
}

template <typename T, int kWidth, typename S = T>
void pack_boxes(const PackBoxArgs& args) {
  constexpr std::int64_t kTerms = sizeof(T) / sizeof(S);
  const std::int64_t panel = (args.steps->count + kTerms - 1) / kTerms * kWidth;
  if (args.last_lane % kWidth != 0) {
    std::memset(static_cast<T*>(args.panels) + args.last_lane / kWidth * panel, 0,
                static_cast<std::size_t>(panel) * sizeof(T));
  }
  for (std::int64_t lane = args.first_lane; lane < args.last_lane; lane += args.across * args.along) {
    pack_box<T, kWidth, S>(args, lane, panel);
  }
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
