// The ways to make a contraction of two tensors a matrix product, as is done where only a GEMM is at hand: transpose,
// multiply, transpose (TTGT).
#pragma once

#include <string>
#include <vector>

#include "cli/bench/contracted.hpp"
#include "cli/bench/peer.hpp"

namespace trntensor::cli::bench {

/// One way: the orders that the three take as matrices, and the product.
struct GemmRoad {
  std::string a;
  std::string b;
  std::string c;
  bool exchanged = false;  ///< the matrix of b stands first
  GemmProblem gemm;
  double moved_bytes = 0;  ///< read and written by the transposes
};

/// All different ones of the 64 (order of the labels of each group by one tensor or the other, each matrix plain or
/// transposed), those that move the fewest bytes first.
std::vector<GemmRoad> gemm_roads(const Contracted& contracted);

}  // namespace trntensor::cli::bench
