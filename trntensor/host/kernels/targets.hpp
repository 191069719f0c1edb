// The instruction sets that kernels are written for, and what was compiled for one of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hwy/highway.h"

namespace trntensor::host {

struct InstructionSet {
  std::string_view name;
  std::int64_t target = 0;   ///< of Highway
  bool is_for_bf16 = false;  ///< kernels of pairs of bfloat16 alone; all others are those of the next set
};

/// Best first.
inline constexpr std::array kInstructionSets{
    InstructionSet{"avx512_bf16", HWY_AVX3, true},  // Highway has no target for it
    InstructionSet{"avx3", HWY_AVX3},
    InstructionSet{"avx2", HWY_AVX2},
    InstructionSet{"sse4", HWY_SSE4},
    InstructionSet{"ssse3", HWY_SSSE3},
};

/// The name of kernels in plain C++, which run everywhere.
inline constexpr std::string_view kGeneric = "generic";

/// Highway's target of an instruction set of the table of kernels; nothing for "generic" and other names.
inline std::optional<std::int64_t> target_of(std::string_view instruction_set) {
  for (const InstructionSet& set : kInstructionSets) {
    if (set.name == instruction_set) return set.target;
  }
  return std::nullopt;
}

/// What the table of HWY_EXPORT holds for `target`; null when this build has none.
template <class Result, class... Arguments, std::size_t kSize>
auto entry_for(Result (*const (&table)[kSize])(Arguments...), std::int64_t target) -> Result (*)(Arguments...) {
  if ((HWY_TARGETS & target) == 0) return nullptr;
  if constexpr (kSize == 1) {
    return table[0];
  } else {
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return table[chosen.GetIndex()];
  }
}

}  // namespace trntensor::host
