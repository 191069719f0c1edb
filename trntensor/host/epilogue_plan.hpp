// All that is decided of an epilogue before the data is known.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "trntensor/host/epilogue_blocks.hpp"
#include "trntensor/host/epilogue_passes.hpp"
#include "trntensor/host/epilogue_product.hpp"
#include "trntensor/host/epilogue_stages.hpp"
#include "trntensor/host/epilogue_sums.hpp"
#include "trntensor/plan/epilogue_step.hpp"

namespace trntensor::host {

struct EpiloguePlan {
  EpiloguePlan(const EpilogueProblem& wanted, const HostOptions& options);

  /// The product of the shape of a block.
  [[nodiscard]] const BlockProduct& product(const Block& block) const { return *products.at(block.extent); }

  /// Of one block of elements.
  [[nodiscard]] std::int64_t block_bytes() const noexcept;

  /// Of the arrays of all reductions that are not made in a block.
  [[nodiscard]] std::int64_t sum_bytes() const noexcept;

  EpilogueProblem problem;
  EpilogueStages stages;
  std::int64_t least_sums;  ///< bytes of one array for each reduction
  BlockGrid grid;
  std::vector<std::size_t>
      mirror;  ///< per axis of the grid: the axis it changes places with; empty: no symmetry is used
  std::vector<Pass> block_passes;
  std::vector<Pass> end_passes;
  std::vector<BlockSum> sums;
  std::map<std::vector<std::int64_t>, std::unique_ptr<const BlockProduct>> products;  ///< by the extents of a block
};

}  // namespace trntensor::host
