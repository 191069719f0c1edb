// How a nest of loops is run: which loop the vectors go along, tiles, and the cut of the sum.
#pragma once

#include <cstdint>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/host/nest_problem.hpp"

namespace trntensor::host {

enum class NestForm : std::uint8_t {
  kAcross,  ///< vectors along a loop of out: many sums side by side
  kAlong,   ///< vectors along a summed loop: one sum per run
};

/// Loops but the vector loop, by the operands they move: batch both (or neither), m only a, n only b, k summed.
/// `*_tile` is how many indices of a group one tile takes.
struct NestPlan {
  NestForm form = NestForm::kAcross;
  GroupAxis vector;  ///< extent 1 and strides 0 if there is no loop to choose
  Group batch;
  Group m;
  Group n;
  Group k;
  std::int64_t run = 1;  ///< elements of a run at most
  std::int64_t batch_tile = 1;
  std::int64_t m_tile = 1;
  std::int64_t n_tile = 1;
  std::int64_t k_tile = 1;   ///< terms, or rows of terms, that are loaded together
  bool rows_follow = false;  ///< the short rows of a k tile lie one behind the other, and are kept so in panels

  std::int64_t batch_size = 1;
  std::int64_t m_size = 1;
  std::int64_t n_size = 1;
  std::int64_t k_size = 1;

  /// A sum is made of units, one after another within a leaf, leaves and then parts in pairs. Parts are run apart.
  std::int64_t units = 1;  ///< k tiles, or runs along the vector loop for every index of k
  std::int64_t units_per_leaf = 1;
  std::int64_t parts = 1;

  [[nodiscard]] std::int64_t runs() const noexcept { return ceil_div(vector.extent, run); }
  [[nodiscard]] std::int64_t tile_rows() const noexcept { return batch_tile * m_tile * n_tile; }
  /// Sums of a tile.
  [[nodiscard]] std::int64_t tile_sums() const noexcept {
    return form == NestForm::kAcross ? tile_rows() * run : tile_rows();
  }
  /// Tiles of out.
  [[nodiscard]] std::int64_t tiles() const noexcept;
  /// Multiply-adds, or elements read for a single operand.
  [[nodiscard]] double work() const noexcept;
};

/// `problem` must be normalised; the extents of its kept loops must not be 0. The plan depends on the problem alone,
/// not on the number of threads, so that results do not either.
NestPlan plan_nest(const NestProblem& problem, const VectorKernels& kernels);

}  // namespace trntensor::host
