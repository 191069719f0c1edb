// Reductions over all blocks: where their values lie, and how much memory that is.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trntensor/host/epilogue_blocks.hpp"
#include "trntensor/host/epilogue_stages.hpp"
#include "trntensor/plan/epilogue_step.hpp"

namespace trntensor::host {

/// A reduction over all blocks. Its values are added up in arrays of float64, one after another, each packed over the
/// labels that are kept. Where memory allows there is an array for each number of a block along the labels that are
/// reduced, so that no two blocks add to one place; else blocks share arrays and take turns (SumTurns).
struct BlockSum {
  int node = 0;
  bool is_max = false;
  std::vector<std::size_t> kept;     ///< axes of the grid, in the order of the result
  std::vector<std::size_t> reduced;  ///< axes of the grid
  std::int64_t elements = 1;         ///< of an array
  std::int64_t arrays = 1;
  bool takes_turns = false;  ///< blocks share arrays

  /// The array that the block at some number along `reduced` adds to.
  [[nodiscard]] std::int64_t array_of(std::int64_t reduced_number) const noexcept { return reduced_number % arrays; }
};

/// Bytes of one array for each of the block sums, and of the reductions of what the end evaluates. Depends on the
/// extents only.
std::int64_t least_sum_bytes(const EpilogueProblem& problem, const EpilogueStages& stages);

/// The sums, with arrays of `spare` bytes at most beyond the first of each.
std::vector<BlockSum> make_sums(const EpilogueProblem& problem, const EpilogueStages& stages, const BlockGrid& grid,
                                std::int64_t spare);

/// Bytes for more arrays than one a sum: enough that blocks seldom share, little beside the memory that is granted.
std::int64_t spare_sum_bytes(std::optional<std::int64_t> memory_limit, std::int64_t needed);

/// Strides of an array of a sum, per label that it keeps.
std::vector<std::int64_t> kept_strides(const BlockGrid& grid, const BlockSum& sum);

/// Number of a block along some axes of the grid. `place(axis)` is the axis of the block that lies along it: itself, or
/// for the mirror image of a block the one it changes places with.
template <typename Place>
std::int64_t number_along(const BlockGrid& grid, const std::vector<std::size_t>& axes, const Block& block,
                          const Place& place) {
  std::int64_t number = 0;
  for (const std::size_t axis : axes) number = number * grid.axes()[axis].blocks() + block.number[place(axis)];
  return number;
}

/// The larger of two numbers, NaN if `y` is, or x.
inline double larger(double x, double y) noexcept { return y > x || std::isnan(y) ? y : x; }

}  // namespace trntensor::host
