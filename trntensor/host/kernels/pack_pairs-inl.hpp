// Packing of panels of pairs: two terms of 16 bits of the sum side by side; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_PACK_PAIRS_INL_HPP
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "trntensor/host/kernels/pack-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Where the two terms of a pair begin, for lanes that lie side by side.
struct PairOfTerms {
  const std::uint16_t* first;
  const std::uint16_t* second;  ///< null behind the last term of an odd number: it counts as zero
};

HWY_INLINE PairOfTerms terms_at(const std::uint16_t* source, const BlockIndex& steps, std::int64_t p) {
  return {source + steps.offsets[p], p + 1 < steps.count ? source + steps.offsets[p + 1] : nullptr};
}

HWY_INLINE std::uint32_t pair_of(const PairOfTerms& terms, std::int64_t lane) {
  const std::uint32_t second = terms.second == nullptr ? 0 : load_one(terms.second + lane);
  return load_one(terms.first + lane) | second << 16;
}

/// The pairs of `count` lanes, kLanes together as long as there are so many.
template <int kLanes>
HWY_INLINE void join_terms(const PairOfTerms& terms, std::int64_t count, std::uint32_t* to) {
  const hn::CappedTag<std::uint32_t, kLanes> d;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    auto pairs = hn::PromoteTo(d, hn::LoadU(narrow, terms.first + i));
    if (terms.second != nullptr) {
      pairs = hn::Or(pairs, hn::ShiftLeft<16>(hn::PromoteTo(d, hn::LoadU(narrow, terms.second + i))));
    }
    hn::StoreU(pairs, d, to + i);
  }
  for (; i < count; ++i) to[i] = pair_of(terms, i);
}

/// Whole panels whose lanes all lie side by side.
template <int kWidth>
HWY_INLINE void pack_pairs_together(const PackArgs& args, std::int64_t panels) {
  const auto* source = static_cast<const std::uint16_t*>(args.source) + args.lanes->offsets[args.first_lane];
  const std::int64_t panel_size = (args.steps->count + 1) / 2 * kWidth;
  auto* to = static_cast<std::uint32_t*>(args.panel);
  for (std::int64_t p = 0; p < args.steps->count; p += 2, to += kWidth) {
    for (std::int64_t i = 0; i < panels; ++i) {
      const PairOfTerms terms = terms_at(source + i * kWidth, *args.steps, p);
      join_terms<copy_lanes<std::uint32_t, kWidth>()>(terms, kWidth, to + i * panel_size);
    }
  }
}

/// One panel whose lanes lie side by side in several pieces.
template <int kWidth>
HWY_INLINE void pack_pairs_in_pieces(const PackArgs& args) {
  constexpr int kLanes = 8;  // most pieces are short
  const auto* source = static_cast<const std::uint16_t*>(args.source);
  auto* panel = static_cast<std::uint32_t*>(args.panel);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const std::int64_t steps = (args.steps->count + 1) / 2;
  if (args.lane_count < kWidth) std::memset(panel, 0, static_cast<std::size_t>(steps) * kWidth * sizeof(*panel));
  for (std::int64_t i = 0; i < args.lane_count;) {
    const std::int64_t run = std::min(args.lanes->run_length(args.first_lane + i), args.lane_count - i);
    for (std::int64_t p = 0; p < steps; ++p) {
      join_terms<kLanes>(terms_at(source + lanes[i], *args.steps, 2 * p), run, panel + p * kWidth + i);
    }
    i += run;
  }
}

/// One panel of any strides; pairs that lie side by side are moved as elements of 32 bits.
template <int kWidth>
HWY_INLINE void pack_pairs_of_panel(const PackArgs& args) {
  const auto* source = static_cast<const std::uint16_t*>(args.source);
  auto* panel = static_cast<std::uint32_t*>(args.panel);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const bool is_along_steps = args.steps->inner_stride == 1;
  for (std::int64_t p = 0; p < args.steps->count;) {
    const std::int64_t pairs = is_along_steps ? args.steps->run_length(p) / 2 : 0;
    std::uint32_t* to = panel + p / 2 * kWidth;
    if (pairs > 0) {
      transpose_run<std::uint32_t, kWidth>(source + args.steps->offsets[p], args, pairs, to);
      p += 2 * pairs;
      continue;
    }
    const PairOfTerms terms = terms_at(source, *args.steps, p);
    for (std::int64_t i = 0; i < args.lane_count; ++i) to[i] = pair_of(terms, lanes[i]);
    for (std::int64_t i = args.lane_count; i < kWidth; ++i) to[i] = 0;
    p += 2;
  }
}

/// Elements of 16 bits, as they are, in pairs.
template <int kWidth>
void pack_pairs(const PackArgs& args) {
  const std::int64_t steps = (args.steps->count + 1) / 2;
  const bool is_along_lanes = args.lanes->inner_stride == 1;
  for (std::int64_t lane = 0; lane < args.lane_count;) {
    PackArgs panel = args;
    panel.panel = static_cast<std::uint32_t*>(args.panel) + lane * steps;
    panel.first_lane = args.first_lane + lane;
    panel.lane_count = std::min<std::int64_t>(kWidth, args.lane_count - lane);
    const std::int64_t run = std::min(args.lanes->run_length(panel.first_lane), args.lane_count - lane);
    const std::int64_t whole = is_along_lanes ? std::min(run / kWidth, kTogether<std::uint32_t, kWidth>) : 0;
    if (whole > 0) {
      pack_pairs_together<kWidth>(panel, whole);
    } else if (is_along_lanes) {
      pack_pairs_in_pieces<kWidth>(panel);
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
