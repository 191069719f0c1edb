// Which blocks are computed, and which a thread takes together because they share operands.
#pragma once

#include <algorithm>

#include "trntensor/host/epilogue_plan.hpp"
#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {

/// Blocks of one batch number, from some numbers on the left and on the right.
struct BlockTile {
  std::int64_t batch = 0;
  std::int64_t left_begin = 0;
  std::int64_t left_end = 0;
  std::int64_t right_begin = 0;
  std::int64_t right_end = 0;
};

struct BlockTiles {
  std::int64_t edge = 1;  ///< numbers on each side of a tile
  std::int64_t batches = 0;
  std::int64_t lefts = 0;
  std::int64_t rights = 0;
  std::int64_t blocks = 0;  ///< that are computed, in all tiles

  [[nodiscard]] std::int64_t count() const noexcept { return batches * ceil_div(lefts, edge) * ceil_div(rights, edge); }
  [[nodiscard]] BlockTile tile(std::int64_t index) const noexcept;
};

/// Tiles whose panels fit what a worker may hold, and enough of them for all threads.
BlockTiles make_tiles(const EpiloguePlan& plan, int threads);

/// Of a block and its mirror image only one is computed.
bool is_computed(const EpiloguePlan& plan, const Block& block);

/// True for a block that is its own mirror image, and where no symmetry is used.
bool is_on_diagonal(const EpiloguePlan& plan, const Block& block);

/// Calls visit(block, left, right) for the blocks of a tile that are computed, in their order, while it returns true.
template <typename Visit>
void visit_blocks(const EpiloguePlan& plan, const BlockTile& tile, const Visit& visit) {
  for (std::int64_t right = tile.right_begin; right < tile.right_end; ++right) {
    for (std::int64_t left = tile.left_begin; left < tile.left_end; ++left) {
      const Block block = plan.grid.block(tile.batch, left, right);
      if (is_computed(plan, block) && !visit(block, left, right)) return;
    }
  }
}

/// Elements of all blocks that are computed.
double computed_elements(const EpiloguePlan& plan);

/// Bytes that one of `workers` may use for panels.
std::int64_t panel_bytes(int workers) noexcept;

/// How many threads work at once: no more than the memory limit and the work allow.
int epilogue_workers(const EpiloguePlan& plan, int threads);

}  // namespace trntensor::host
