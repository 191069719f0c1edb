// Operands of 16-bit floats with any strides, for the tests of packing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trntensor/host/block_index.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/bfloat16.hpp"

namespace trntensor::testing {

inline constexpr std::int64_t kMostLanes = 2 * 48 + 5;
inline constexpr std::int64_t kMostTerms = 45;

inline std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Lanes x terms of whole numbers from 0 to 8 anywhere in memory, one element further than any vector is aligned.
struct HalfOperand {
  /// Term p of lane i is at lanes[i] + steps[p]; both keep their stride for `lane_run` and `step_run` entries.
  HalfOperand(std::int64_t lane_stride, std::int64_t lane_run, std::int64_t step_stride, std::int64_t step_run,
              Random& random) {
    constexpr std::int64_t kGap = 3;
    for (std::int64_t i = 0; i < kMostLanes; ++i) lanes.push_back(i * lane_stride + i / lane_run * kGap * lane_stride);
    for (std::int64_t p = 0; p < kMostTerms; ++p) steps.push_back(p * step_stride + p / step_run * kGap * step_stride);
    memory.resize(place(1 + lanes.back() + steps.back() + 1));
    for (std::uint16_t& element : memory) element = bfloat16(static_cast<float>(random.integer(0, 8))).bits;
    lane_index = {lanes.data(), kMostLanes, 0, lane_run, lane_stride};
    step_index = {steps.data(), kMostTerms, 0, step_run, step_stride};
  }

  [[nodiscard]] const std::uint16_t* source() const { return memory.data() + 1; }
  [[nodiscard]] std::uint16_t bits(std::int64_t lane, std::int64_t term) const {
    return source()[lanes[place(lane)] + steps[place(term)]];
  }

  std::vector<std::int64_t> lanes, steps;
  std::vector<std::uint16_t> memory;
  host::BlockIndex lane_index, step_index;
};

/// Along lanes, along steps, neither; runs that are long, short, of odd length.
inline std::vector<HalfOperand> half_operands() {
  Random random(3);
  std::vector<HalfOperand> list;
  for (const std::int64_t run : {1, 2, 7, 16, 48, 1000}) {
    list.emplace_back(1, run, 6 * kMostLanes, 1000, random);
    list.emplace_back(6 * kMostTerms, 1000, 1, run, random);
    list.emplace_back(5 * kMostTerms, run, 2, 1000, random);
  }
  return list;
}

}  // namespace trntensor::testing
