// What one thread does with a block: multiply, evaluate, hand over the sums.
#pragma once

#include <stop_token>

#include "trntensor/host/epilogue_space.hpp"
#include "trntensor/host/epilogue_tiles.hpp"

namespace trntensor::host {

/// Holds one block of elements and the panels of one tile. Not for several threads at once.
class BlockWorker {
 public:
  /// `edge`: left numbers in a tile. `workers` share the memory for panels.
  BlockWorker(const EpiloguePlan& plan, const EpilogueData& data, std::int64_t edge, int workers, std::stop_token stop);

  /// Computes and evaluates a block of the tile: `left` and `right` are its numbers there.
  void run(const Block& block, const BlockTile& tile, std::int64_t left, std::int64_t right);

  /// Adds what came of a sum in the last block, or in its mirror image, to its place in `arrays`.
  void add_sum(const Block& block, const BlockSum& sum, bool of_image, double* arrays) const;

 private:
  /// Panels of one operand.
  struct Panels {
    const BlockProduct* product = nullptr;  // that they were packed for
    std::int64_t batch = -1;
    std::int64_t number = -1;
    std::byte* memory = nullptr;
  };

  std::size_t cut(WorkspaceCutter cutter, int workers);
  [[nodiscard]] const std::byte* operand(const void* data, const OperandLayout& layout, const Block& block) const;

  const EpiloguePlan& plan_;
  const EpilogueData& data_;
  std::stop_token stop_;
  std::vector<std::int64_t> most_;  ///< extents of the largest block
  PassSpace space_;
  std::byte* element_ = nullptr;
  std::vector<Panels> left_;
  Panels right_;
  Workspace workspace_;
};

}  // namespace trntensor::host
