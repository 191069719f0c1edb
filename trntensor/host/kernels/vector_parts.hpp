// The parts a VectorTable is put together from, one per source file and instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "trntensor/host/kernels/vector_table.hpp"

namespace trntensor::host {

using FillVectorTable = void (*)(VectorTable&);

/// What the table of HWY_EXPORT holds for a target; null when this build has none.
template <std::size_t kSize>
FillVectorTable part_for(const FillVectorTable (&table)[kSize], std::int64_t target) {
  if ((HWY_TARGETS & target) == 0) return nullptr;
  if constexpr (kSize == 1) {
    return table[0];
  } else {
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return table[chosen.GetIndex()];
  }
}

FillVectorTable float_kernels_for(std::int64_t target);
FillVectorTable compensated_kernels_for(std::int64_t target);
FillVectorTable integer_kernels_for(std::int64_t target);
FillVectorTable transpose_kernels_for(std::int64_t target);

}  // namespace trntensor::host
