// Packing of panels of pairs: two terms of 16 bits of the sum side by side; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/pack-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One step of several panels that are `panel_size` pairs apart: `first` and `second` hold the two terms of lanes that
/// lie side by side. Without a second term it counts as zero.
template <int kWidth, bool kHasSecond>
HWY_INLINE void interleave_terms(const std::uint16_t* first, const std::uint16_t* second, std::int64_t panels,
                                 std::int64_t panel_size, std::uint32_t* to) {
  constexpr int kLanes = copy_lanes<std::uint32_t, kWidth>();
  const hn::CappedTag<std::uint32_t, kLanes> d;
  const hn::Rebind<std::uint16_t, decltype(d)> terms;
  for (std::int64_t panel = 0; panel < panels; ++panel, to += panel_size) {
    for (int i = 0; i < kWidth; i += kLanes) {
      const std::int64_t lane = panel * kWidth + i;
      auto pairs = hn::PromoteTo(d, hn::LoadU(terms, first + lane));
      if constexpr (kHasSecond) {
        pairs = hn::Or(pairs, hn::ShiftLeft<16>(hn::PromoteTo(d, hn::LoadU(terms, second + lane))));
      }
      hn::StoreU(pairs, d, to + i);
    }
  }
}

/// Whole panels whose lanes all lie side by side.
template <int kWidth>
HWY_INLINE void pack_pairs_along_lanes(const PackArgs& args, std::int64_t panels) {
  const auto* source = static_cast<const std::uint16_t*>(args.source) + args.lanes->offsets[args.first_lane];
  const std::int64_t* steps = args.steps->offsets;
  const std::int64_t count = args.steps->count;
  const std::int64_t panel_size = (count + 1) / 2 * kWidth;
  auto* HWY_RESTRICT to = static_cast<std::uint32_t*>(args.panel);
  std::int64_t p = 0;
  for (; p + 1 < count; p += 2, to += kWidth) {
    interleave_terms<kWidth, true>(source + steps[p], source + steps[p + 1], panels, panel_size, to);
  }
  if (p < count) interleave_terms<kWidth, false>(source + steps[p], nullptr, panels, panel_size, to);
}

/// Terms p and p + 1 of one panel, from memory of any strides.
template <int kWidth>
HWY_INLINE void pack_one_pair(const PackArgs& args, std::int64_t p, std::uint32_t* to) {
  const auto* source = static_cast<const std::uint16_t*>(args.source);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const std::uint16_t* first = source + args.steps->offsets[p];
  if (p + 1 < args.steps->count) {
    const std::uint16_t* second = source + args.steps->offsets[p + 1];
    for (std::int64_t i = 0; i < args.lane_count; ++i) {
      to[i] = load_one(first + lanes[i]) | std::uint32_t{load_one(second + lanes[i])} << 16;
    }
  } else {
    for (std::int64_t i = 0; i < args.lane_count; ++i) to[i] = load_one(first + lanes[i]);
  }
  for (std::int64_t i = args.lane_count; i < kWidth; ++i) to[i] = 0;
}

/// One panel; pairs that lie side by side are moved as elements of 32 bits.
template <int kWidth>
HWY_INLINE void pack_pairs_of_panel(const PackArgs& args) {
  const auto* source = static_cast<const std::uint16_t*>(args.source);
  auto* panel = static_cast<std::uint32_t*>(args.panel);
  const bool is_along_steps = args.steps->inner_stride == 1;
  for (std::int64_t p = 0; p < args.steps->count;) {
    const std::int64_t pairs = is_along_steps ? args.steps->run_length(p) / 2 : 0;
    std::uint32_t* to = panel + p / 2 * kWidth;
    if (pairs == 0) {
      pack_one_pair<kWidth>(args, p, to);
      p += 2;
    } else {
      transpose_run<std::uint32_t, kWidth>(source + args.steps->offsets[p], args, pairs, to);
      p += 2 * pairs;
    }
  }
}

/// Elements of 16 bits, as they are, in pairs.
template <int kWidth>
void pack_pairs(const PackArgs& args) {
  const std::int64_t steps = (args.steps->count + 1) / 2;
  for (std::int64_t lane = 0; lane < args.lane_count;) {
    PackArgs panel = args;
    panel.panel = static_cast<std::uint32_t*>(args.panel) + lane * steps;
    panel.first_lane = args.first_lane + lane;
    panel.lane_count = std::min<std::int64_t>(kWidth, args.lane_count - lane);
    std::int64_t whole = 0;
    if (args.lanes->inner_stride == 1) {
      const std::int64_t run = std::min(args.lanes->run_length(panel.first_lane), args.lane_count - lane);
      whole = std::min(run / kWidth, kTogether<std::uint32_t, kWidth>);
    }
    if (whole > 0) {
      pack_pairs_along_lanes<kWidth>(panel, whole);
    } else {
      pack_pairs_of_panel<kWidth>(panel);
    }
    lane += std::max<std::int64_t>(1, whole) * kWidth;
  }
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
