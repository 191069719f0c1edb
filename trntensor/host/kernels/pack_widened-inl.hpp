// Packing of panels of float32 from 16-bit floats of any strides; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_PACK_WIDENED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_PACK_WIDENED_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_PACK_WIDENED_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_PACK_WIDENED_INL_HPP
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "trntensor/host/kernels/half_floats-inl.hpp"
#include "trntensor/host/kernels/pack-inl.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `count` adjacent elements, kLanes together as long as there are so many.
template <int kLanes, class Half>
HWY_INLINE void widen_lanes(const Half* from, std::int64_t count, float* to) {
  const hn::CappedTag<float, kLanes> d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(Half::widen(d, from + i), d, to + i);
  for (; i < count; ++i) to[i] = widen_one(from + i);
}

/// Whole panels whose lanes all lie side by side.
template <class Half, int kWidth>
HWY_INLINE void pack_widened_together(const PackArgs& args, std::int64_t panels) {
  const Half* source = static_cast<const Half*>(args.source) + args.lanes->offsets[args.first_lane];
  const std::int64_t panel_size = args.steps->count * kWidth;
  float* to = static_cast<float*>(args.panel);
  for (std::int64_t p = 0; p < args.steps->count; ++p, to += kWidth) {
    const Half* from = source + args.steps->offsets[p];
    for (std::int64_t i = 0; i < panels; ++i) {
      widen_lanes<copy_lanes<float, kWidth>()>(from + i * kWidth, kWidth, to + i * panel_size);
    }
  }
}

/// One panel whose lanes lie side by side in several pieces.
template <class Half, int kWidth>
HWY_INLINE void pack_widened_pieces(const PackArgs& args) {
  constexpr int kLanes = 8;  // most pieces are short
  const Half* source = static_cast<const Half*>(args.source);
  float* panel = static_cast<float*>(args.panel);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  const std::int64_t steps = args.steps->count;
  if (args.lane_count < kWidth) std::memset(panel, 0, static_cast<std::size_t>(steps) * kWidth * sizeof(*panel));
  for (std::int64_t i = 0; i < args.lane_count;) {
    const std::int64_t run = std::min(args.lanes->run_length(args.first_lane + i), args.lane_count - i);
    for (std::int64_t p = 0; p < steps; ++p) {
      widen_lanes<kLanes>(source + lanes[i] + args.steps->offsets[p], run, panel + p * kWidth + i);
    }
    i += run;
  }
}

/// Four elements of four lanes.
template <class Half, int kWidth>
HWY_INLINE void widen_square(const Half* const* lanes, std::int64_t p, float* to) {
  const hn::CappedTag<float, 4> d;
  const auto row = [&](int s) {
    return hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), Half::widen(d, lanes[s] + p));
  };
  std::uint32_t* columns[4];
  for (int s = 0; s < 4; ++s) columns[s] = reinterpret_cast<std::uint32_t*>(to + s * kWidth);
  store_columns(row(0), row(1), row(2), row(3), columns);
}

/// `steps` side by side in memory from `source` on, for the lanes of one panel; a line of every lane at a time.
template <class Half, int kWidth>
HWY_INLINE void widen_transposed(const Half* source, const PackArgs& args, std::int64_t steps, float* panel) {
  constexpr std::int64_t kLine = 64 / sizeof(Half);
  const std::int64_t* lanes = args.lanes->offsets + args.first_lane;
  for (std::int64_t p0 = 0; p0 < steps; p0 += kLine) {
    const std::int64_t p_end = std::min(steps, p0 + kLine);
    std::int64_t i = 0;
    for (; i + 4 <= args.lane_count; i += 4) {
      const Half* from[4];
      for (int s = 0; s < 4; ++s) from[s] = source + lanes[i + s];
      std::int64_t p = p0;
      for (; p + 4 <= p_end; p += 4) widen_square<Half, kWidth>(from, p, panel + p * kWidth + i);
      for (; p < p_end; ++p) {
        for (int s = 0; s < 4; ++s) panel[p * kWidth + i + s] = widen_one(from[s] + p);
      }
    }
    for (; i < args.lane_count; ++i) {
      for (std::int64_t p = p0; p < p_end; ++p) panel[p * kWidth + i] = widen_one(source + lanes[i] + p);
    }
    for (; i < kWidth; ++i) {
      for (std::int64_t p = p0; p < p_end; ++p) panel[p * kWidth + i] = 0.0F;
    }
  }
}

/// One panel whose lanes do not lie side by side.
template <class Half, int kWidth>
HWY_INLINE void pack_widened_panel(const PackArgs& args) {
  const Half* source = static_cast<const Half*>(args.source);
  float* panel = static_cast<float*>(args.panel);
  for (std::int64_t p = 0; p < args.steps->count;) {
    const std::int64_t run = args.steps->inner_stride == 1 ? args.steps->run_length(p) : 1;
    widen_transposed<Half, kWidth>(source + args.steps->offsets[p], args, run, panel + p * kWidth);
    p += run;
  }
}

/// PackPanels for elements `Half`.
template <class Half, int kWidth>
void pack_widened(const PackArgs& args) {
  const bool is_along_lanes = args.lanes->inner_stride == 1;
  for (std::int64_t lane = 0; lane < args.lane_count;) {
    const PackArgs panel = panel_at<float, kWidth>(args, lane);
    const std::int64_t run = std::min(args.lanes->run_length(panel.first_lane), args.lane_count - lane);
    const std::int64_t whole = is_along_lanes ? std::min(run / kWidth, kTogether<float, kWidth>) : 0;
    if (whole > 0) {
      pack_widened_together<Half, kWidth>(panel, whole);
    } else if (is_along_lanes) {
      pack_widened_pieces<Half, kWidth>(panel);
    } else {
      pack_widened_panel<Half, kWidth>(panel);
    }
    lane += std::max<std::int64_t>(1, whole) * kWidth;
  }
}

/// The packing functions of a float32 kernel for operands of 16-bit floats.
template <int kMR, int kNR>
void add_widened(KernelFunctions& functions) {
  functions.pack_bfloat16 = {&pack_widened<Bfloat16, kMR>, &pack_widened<Bfloat16, kNR>};
#if TRNTENSOR_HOST_HAS_FLOAT16
  functions.pack_float16 = {&pack_widened<Float16, kMR>, &pack_widened<Float16, kNR>};
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
