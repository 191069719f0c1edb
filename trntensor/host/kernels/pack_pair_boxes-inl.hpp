// Packing of boxes of lanes into panels of pairs; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_PACK_PAIR_BOXES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_PACK_PAIR_BOXES_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_PACK_PAIR_BOXES_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_PACK_PAIR_BOXES_INL_HPP
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/pack_boxes-inl.hpp"
#include "trntensor/host/kernels/pack_pairs-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

using PairLanes = BoxLanes<std::uint32_t, std::uint16_t>;

/// All steps of kCount lanes: two terms of each lane are joined where they lie side by side, across the panels, and the
/// pairs are then turned like other elements of 32 bits.
template <int kWidth, int kCount>
void pack_box_lanes(const PackBoxArgs& args, const PairLanes& lanes) {
  constexpr int kLanes = 8;  // extents across are multiples of it, mostly
  alignas(64) std::uint32_t pairs[kCount * kMostAcross];
  std::int64_t places[kCount];
  for (int i = 0; i < kCount; ++i) places[i] = i * kMostAcross;
  BoxLanes<std::uint32_t> joined;
  joined.source = pairs;
  joined.offsets = places;
  joined.count = kCount;
  std::copy_n(lanes.to, args.across, joined.to);
  const BlockIndex& steps = *args.steps;
  const std::int64_t ahead = box_steps_ahead<std::uint16_t>(args.across);
  for (std::int64_t p = 0; p < steps.count; p += 2) {
    for (std::int64_t next = p + ahead; next < std::min(p + ahead + 2, steps.count); ++next) {
      fetch_box_step(lanes, args.across, steps.offsets[next]);
    }
    for (int i = 0; i < kCount; ++i) {
      join_terms<kLanes>(terms_at(lanes.source + lanes.offsets[i], steps, p), args.across, pairs + places[i]);
    }
    pack_box_step<std::uint32_t, kCount>(joined, args.across, 0, p / 2 * kWidth);
  }
}

template <int kWidth>
void pack_pair_boxes(const PackBoxArgs& args) {
  pack_boxes<std::uint32_t, kWidth, std::uint16_t>(args);
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
