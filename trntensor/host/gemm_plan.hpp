// What the GEMM route decides before it sees data.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trntensor/host/blocking.hpp"
#include "trntensor/host/conversion.hpp"
#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/host/lane_boxes.hpp"
#include "trntensor/host/tile_store.hpp"

namespace trntensor::host {

/// Where the half vectors of a row of a tile begin, in elements.
using PieceOffsets = std::array<std::int64_t, 6>;

/// All that is decided before the data is known.
struct GemmPlan {
  GemmPlan(const BoxedPart& part, const GemmKernel& chosen);
  /// The whole problem, without boxes.
  GemmPlan(const BinaryProblem& whole, const GemmKernel& chosen);

  BinaryProblem problem;
  LaneBox row_box;
  LaneBox column_box;
  LaneUnits units;  ///< of blocks: rows in whole boxes and whole tiles, columns in whole boxes, or tiles without
  const GemmKernel* kernel;
  Conversion load_a;
  Conversion load_b;
  PackPanels pack_a;  ///< from A as it is stored; null: its elements are converted first
  PackPanels pack_b;
  TileStore store;
  bool is_streamable = false;           ///< the result, past the caches, if a cache line begins with it
  bool has_bands = false;               ///< MR rows of the result are one run of memory that fits L1
  StreamRun stream_run;                 ///< past the caches
  std::vector<std::int64_t> tile_rows;  ///< offsets of the rows of a tile of its own
  std::vector<std::int64_t> band_rows;  ///< and of a band, if there are any
  PieceOffsets tile_pieces{};           ///< and of the half vectors of a row

  /// True when so few columns are worth no packed A, and the kernel can do without.
  [[nodiscard]] bool reads_a_in_place(std::int64_t columns) const noexcept;

  /// True when so few rows, or so near a B, are worth no packed B. Columns that are no whole vectors are packed still.
  [[nodiscard]] bool reads_b_in_place(std::int64_t rows) const noexcept;

  /// Lets a kernel write the first columns of a tile of its own, row by row.
  void take_own_tile(KernelArgs& args, std::int64_t columns) const noexcept;
};

}  // namespace trntensor::host
