// The columns of a tile, and who writes them to the result.
#pragma once

#include <span>

#include "trntensor/host/gemm_plan.hpp"

namespace trntensor::host {

struct ColumnTile {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool is_direct = false;  ///< the kernel can write them to the result: those of each half vector lie side by side
  bool reads_b = false;    ///< where it lies, from `b` on, in elements
  std::int64_t b = 0;
  MicroKernel run = nullptr;  ///< for so many columns
  PieceOffsets pieces{};      ///< in the result
};

/// The tiles of a block's columns. `reads_b`: B need not be packed.
void cut_column_tiles(const GemmPlan& plan, const BlockIndex& out_columns, const BlockIndex& b_columns, bool reads_b,
                      std::span<ColumnTile> tiles);

}  // namespace trntensor::host
