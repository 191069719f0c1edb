// The ways to make a contraction of two tensors a matrix product, as is done where only a GEMM is at hand: transpose,
// multiply, transpose (TTGT).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/bench/peer.hpp"

namespace trntensor::cli::bench {

/// Two operands and a result, each as its labels from the slowest to the fastest axis; all are dense. Labels of all
/// three lead in each, in one order.
struct Contracted {
  std::string a;
  std::string b;
  std::string c;
  std::map<char, std::int64_t> extents;
  DType dtype = DType::kFloat64;

  [[nodiscard]] std::int64_t size(const std::string& labels) const;
  [[nodiscard]] std::string subscripts() const { return a + "," + b + "->" + c; }
  [[nodiscard]] double flops() const;        ///< 2 for each multiply-add
  [[nodiscard]] double bytes() const;        ///< of the three tensors
  [[nodiscard]] std::int64_t terms() const;  ///< summed into one element of the result
};

/// "adb,cd->cba" with the extents of its labels.
Contracted parse_contracted(const std::string& subscripts, const std::map<char, std::int64_t>& extents, DType dtype);

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
