// The columns of a tile, and who writes them to the result.
#pragma once

#include "trntensor/host/gemm_plan.hpp"

namespace trntensor::host {

struct ColumnTile {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool is_direct = false;     ///< the kernel can write them to the result: those of each half vector lie side by side
  MicroKernel run = nullptr;  ///< for so many columns
  PieceOffsets pieces{};      ///< in the result
};

/// The tile that begins at entry `first` of a block's columns.
ColumnTile column_tile(const GemmPlan& plan, const BlockIndex& out_columns, std::int64_t first);

}  // namespace trntensor::host
