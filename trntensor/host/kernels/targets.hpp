// The names of instruction sets and Highway's numbers for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hwy/highway.h"

namespace trntensor::host {

/// Highway's target of an instruction set of the table of kernels; nothing for "generic" and other names.
inline std::optional<std::int64_t> target_of(std::string_view instruction_set) {
  struct Named {
    std::string_view name;
    std::int64_t target;
  };
  constexpr std::array<Named, 4> kTargets = {
      {{"avx3", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4}, {"ssse3", HWY_SSSE3}}};
  for (const Named& named : kTargets) {
    if (named.name == instruction_set) return named.target;
  }
  return std::nullopt;
}

}  // namespace trntensor::host
