// When each part of a formula can be evaluated: block by block, or once all blocks are done.
#pragma once

#include <vector>

#include "trntensor/epilogue/formula.hpp"

namespace trntensor::host {

/// Elements exist in their block only. A reduction of something made of elements is added up over all blocks, and what
/// needs no more than such reductions is evaluated at the end. What meets an element again (x - max_j(x)) is needed
/// in the block, which therefore must have all values of the labels that are reduced there.
struct EpilogueStages {
  std::vector<int> block_roots;     ///< numbers of roots that are evaluated in the blocks
  std::vector<int> end_roots;       ///< numbers of the others
  std::vector<int> block_sums;      ///< nodes: reductions over all blocks that the end needs
  std::vector<int> end_reductions;  ///< nodes: reductions of what is known at the end
  Labels whole;                     ///< labels of which a block must have all values
};

EpilogueStages find_stages(const epilogue::Formula& formula);

}  // namespace trntensor::host
