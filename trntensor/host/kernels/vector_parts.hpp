// The parts a VectorTable is put together from, one per source file and instruction set.
#pragma once

#include <cstdint>

#include "trntensor/host/kernels/targets.hpp"
#include "trntensor/host/kernels/vector_table.hpp"

namespace trntensor::host {

using FillVectorTable = void (*)(VectorTable&);

/// Each gives the part of a target; null when this build has none.
FillVectorTable float_kernels_for(std::int64_t target);
FillVectorTable compensated_kernels_for(std::int64_t target);
FillVectorTable triple_kernels_for(std::int64_t target);
FillVectorTable integer_kernels_for(std::int64_t target);
FillVectorTable transpose_kernels_for(std::int64_t target);
FillVectorTable convert_kernels_for(std::int64_t target);

}  // namespace trntensor::host
