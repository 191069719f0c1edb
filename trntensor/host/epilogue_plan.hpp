// All that is decided of an epilogue before the data is known.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "trntensor/host/epilogue_blocks.hpp"
#include "trntensor/host/epilogue_passes.hpp"
#include "trntensor/host/epilogue_product.hpp"
#include "trntensor/host/epilogue_stages.hpp"
#include "trntensor/plan/epilogue_step.hpp"

namespace trntensor::host {

/// A reduction over all blocks: one array of float64 for each number of a block along the labels that are reduced, so
/// that no two blocks write to one place and the order of the sum is fixed. The arrays lie one after another.
struct BlockSum {
  int node = 0;
  bool is_max = false;
  std::vector<std::size_t> kept;     ///< axes of the grid, in the order of the result; the array is packed over them
  std::vector<std::size_t> reduced;  ///< axes of the grid
  std::int64_t elements = 1;         ///< of an array
  std::int64_t arrays = 1;
};

struct EpiloguePlan {
  EpiloguePlan(const EpilogueProblem& wanted, const HostOptions& options);

  /// The product of the shape of a block.
  [[nodiscard]] const BlockProduct& product(const Block& block) const { return *products.at(block.extent); }

  EpilogueProblem problem;
  EpilogueStages stages;
  BlockGrid grid;
  std::vector<std::size_t>
      mirror;  ///< per axis of the grid: the axis it changes places with; empty: no symmetry is used
  std::vector<Pass> block_passes;
  std::vector<Pass> end_passes;
  std::vector<BlockSum> sums;
  std::map<std::vector<std::int64_t>, std::unique_ptr<const BlockProduct>> products;  ///< by the extents of a block
};

}  // namespace trntensor::host
