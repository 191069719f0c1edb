#include "trntensor/quantum/pair_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::quantum {
namespace {

// Rows of the matrix product of one tile from which packing its operands costs little against multiplying them.
constexpr std::int64_t kEnoughRows = 384;
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
  const std::int64_t wanted =
      std::clamp<std::int64_t>((kEnoughRows + extents.nvir - 1) / extents.nvir, 1, extents.nocc);
  const std::int64_t budget = memory_limit ? *memory_limit / kThreadsPerLimit : INT64_MAX;
  std::int64_t edge = wanted;
  while (edge > 1 && edge * edge > budget / bytes_of_pair) --edge;
  return edge;
}

/// Tiles off the diagonal first: they are the largest.
std::vector<PairTile> cover_pairs(std::int64_t nocc, std::int64_t edge) {
  const auto end = [&](std::int64_t begin) { return std::min(begin + edge, nocc); };
  std::vector<PairTile> tiles;
  for (std::int64_t i = 0; i < nocc; i += edge) {
    for (std::int64_t j = i + edge; j < nocc; j += edge) tiles.push_back({i, end(i), j, end(j)});
  }
  for (std::int64_t i = 0; i < nocc; i += edge) tiles.push_back({i, end(i), i, end(i)});
  return tiles;
}

}  // namespace

PairTiling tile_pairs(const PairExtents& extents, std::optional<std::int64_t> memory_limit, int num_threads) {
  PairTiling tiling;
  if (extents.nocc == 0 || extents.nvir == 0) return tiling;
  const std::int64_t bytes = pair_bytes(extents, memory_limit);
  const std::int64_t edge = tile_edge(extents, bytes, memory_limit);
  tiling.tiles = cover_pairs(extents.nocc, edge);
  tiling.tile_bytes = bytes * edge * edge;
  const auto count = static_cast<std::int64_t>(tiling.tiles.size());
  const std::int64_t affordable = memory_limit ? *memory_limit / tiling.tile_bytes : INT64_MAX;
  tiling.workers = static_cast<int>(std::min({static_cast<std::int64_t>(num_threads), count, affordable}));
  return tiling;
}

}  // namespace trntensor::quantum
