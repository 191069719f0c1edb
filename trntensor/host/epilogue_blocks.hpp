// How the index space of an epilogue's elements is cut into blocks that stay in the cache.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trntensor/epilogue/symmetry.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/result_sides.hpp"
#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// Blocks of left (right) axes need the same rows of a (of b).
using BlockSide = ResultSide;

struct BlockAxis {
  Label label = 0;
  BlockSide side = BlockSide::kLeft;
  std::int64_t extent = 0;
  std::int64_t edge = 0;  ///< of all blocks but the last

  [[nodiscard]] std::int64_t blocks() const noexcept { return extent == 0 ? 0 : ceil_div(extent, edge); }
};

/// One block: a stretch of each axis.
struct Block {
  std::vector<std::int64_t> number;  ///< along each axis
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> extent;
};

class BlockGrid {
 public:
  explicit BlockGrid(std::vector<BlockAxis> axes) : axes_(std::move(axes)) {}

  /// In the order of a block's memory, the last contiguous.
  [[nodiscard]] const std::vector<BlockAxis>& axes() const noexcept { return axes_; }
  [[nodiscard]] Labels labels() const;
  [[nodiscard]] std::size_t axis_of(Label label) const noexcept;

  /// Blocks along all axes of a side together.
  [[nodiscard]] std::int64_t blocks(BlockSide side) const noexcept;

  /// Elements of the largest block.
  [[nodiscard]] std::int64_t block_elements() const noexcept;

  /// The block at a number on each side.
  [[nodiscard]] Block block(std::int64_t batch, std::int64_t left, std::int64_t right) const;

 private:
  std::vector<BlockAxis> axes_;
};

struct BlockRules {
  Labels whole;                    ///< labels that are not cut
  epilogue::Exchange exchange;     ///< labels that are cut alike, so that each block has a mirror image
  std::int64_t most_elements = 0;  ///< of a block, unless `whole` needs more
};

/// Cuts the result of `product`. Depends on extents and rules only, not on the number of threads.
BlockGrid choose_blocks(const StepProblem& product, const BlockRules& rules);

/// What half of the second-level cache holds, or a part of `memory_limit`.
std::int64_t largest_block(DType element, std::optional<std::int64_t> memory_limit);

}  // namespace trntensor::host
