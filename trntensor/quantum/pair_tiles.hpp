// How the pairs of occupied orbitals are cut into blocks that fit into the memory granted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace trntensor::quantum {

/// Pairs (i, j) with i in [i_begin, i_end), j in [j_begin, j_end), all of them i <= j.
struct PairTile {
  std::int64_t i_begin = 0;
  std::int64_t i_end = 0;
  std::int64_t j_begin = 0;
  std::int64_t j_end = 0;

  [[nodiscard]] std::int64_t rows() const noexcept { return i_end - i_begin; }
  [[nodiscard]] std::int64_t columns() const noexcept { return j_end - j_begin; }
  [[nodiscard]] std::int64_t pairs() const noexcept { return rows() * columns(); }
};

struct PairTiling {
  std::vector<PairTile> tiles;  ///< cover every pair i <= j once; largest first
  std::int64_t tile_bytes = 0;  ///< of the largest tile's block of T
  int workers = 1;              ///< tiles in work at once
};

struct PairExtents {
  std::int64_t nocc = 0;
  std::int64_t nvir = 0;
  std::int64_t naux = 0;
  std::int64_t element_bytes = 8;
};

/// The tiles depend on the extents and the limit only, never on `num_threads`, so that results do not either; threads
/// whose block does not fit into the limit are not used.
/// Throws OutOfMemory with the need when one pair does not fit into `memory_limit`, or no block is addressable.
PairTiling tile_pairs(const PairExtents& extents, std::optional<std::int64_t> memory_limit, int num_threads);

}  // namespace trntensor::quantum
