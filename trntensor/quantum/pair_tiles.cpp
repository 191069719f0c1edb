#include "trntensor/quantum/pair_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::quantum {
namespace {

// Rows of the matrix product of one tile from which packing its operands costs little against multiplying them.
constexpr std::int64_t kEnoughRows = 768;
// No tile has more than this part of all pairs, so that threads are evenly loaded,
constexpr std::int64_t kFewestTiles = 6;
// unless it has fewer multiply-adds than this, a millisecond's work.
constexpr double kSmallTile = 3e7;
// A limit is shared by up to this many threads before tiles are made larger than one pair.
constexpr std::int64_t kThreadsPerLimit = 16;

/// Bytes of the block of one pair.
std::int64_t pair_bytes(const PairExtents& extents, std::optional<std::int64_t> memory_limit) {
  const auto square = checked_multiply(extents.nvir, extents.nvir);
  const auto bytes = square ? checked_multiply(*square, extents.element_bytes) : std::nullopt;
  if (!bytes)
    throw Error(ErrorKind::kOutOfMemory, fmt::format("a block of {0} x {0} elements leaves 63 bits", extents.nvir),
                "B");
  if (memory_limit && *bytes > *memory_limit) {
    throw Error(ErrorKind::kOutOfMemory,
                fmt::format("the block of one orbital pair, {0} x {0} elements, needs {1} ({2} bytes); the memory "
                            "limit is {3} ({4} bytes)",
                            extents.nvir, format_bytes(static_cast<double>(*bytes)), *bytes,
                            format_bytes(static_cast<double>(*memory_limit)), *memory_limit),
                "memory_limit", fmt::format("grant at least {} bytes", *bytes));
  }
  return *bytes;
}

/// Occupied orbitals per side of a tile.
std::int64_t tile_edge(const PairExtents& extents, std::int64_t bytes_of_pair,
                       std::optional<std::int64_t> memory_limit) {
  const std::int64_t pairs = extents.nocc * (extents.nocc + 1) / 2;
  const std::int64_t budget = memory_limit ? *memory_limit / kThreadsPerLimit : INT64_MAX;
  const double macs_of_pair =
      static_cast<double>(extents.nvir) * static_cast<double>(extents.nvir) * static_cast<double>(extents.naux);
  const auto too_large = [&](std::int64_t edge) {
    const bool uneven = edge * edge * kFewestTiles > pairs;
    return edge * edge > budget / bytes_of_pair ||
           (uneven && static_cast<double>(edge * edge) * macs_of_pair > kSmallTile);
  };
  // At most half of the orbitals: of a square on the diagonal only rows remain, which pack worse.
  const std::int64_t most = (extents.nocc + 1) / 2;
  std::int64_t edge = std::clamp<std::int64_t>((kEnoughRows + extents.nvir - 1) / extents.nvir, 1, most);
  while (edge > 1 && too_large(edge)) --edge;
  return edge;
}

/// Squares above the diagonal first, as they are the largest tiles; then what is left of each square on the diagonal,
/// row by row, so that nothing below the diagonal is computed.
std::vector<PairTile> cover_pairs(std::int64_t nocc, std::int64_t edge) {
  const auto end = [&](std::int64_t begin) { return std::min(begin + edge, nocc); };
  std::vector<PairTile> tiles;
  for (std::int64_t i = 0; i < nocc; i += edge) {
    for (std::int64_t j = i + edge; j < nocc; j += edge) tiles.push_back({i, end(i), j, end(j)});
  }
  for (std::int64_t square = 0; square < nocc; square += edge) {
    for (std::int64_t i = square; i < end(square); ++i) tiles.push_back({i, i + 1, i, end(square)});
  }
  return tiles;
}

}  // namespace

PairTiling tile_pairs(const PairExtents& extents, std::optional<std::int64_t> memory_limit, int num_threads) {
  PairTiling tiling;
  if (extents.nocc == 0 || extents.nvir == 0) return tiling;
  const std::int64_t bytes = pair_bytes(extents, memory_limit);
  const std::int64_t edge = tile_edge(extents, bytes, memory_limit);
  tiling.tiles = cover_pairs(extents.nocc, edge);
  for (const PairTile& tile : tiling.tiles) tiling.tile_bytes = std::max(tiling.tile_bytes, bytes * tile.pairs());
  const auto count = static_cast<std::int64_t>(tiling.tiles.size());
  const std::int64_t affordable = memory_limit ? *memory_limit / tiling.tile_bytes : INT64_MAX;
  tiling.workers = static_cast<int>(std::min({static_cast<std::int64_t>(num_threads), count, affordable}));
  return tiling;
}

}  // namespace trntensor::quantum
