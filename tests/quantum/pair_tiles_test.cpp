// The cutting of pairs into blocks: complete, within the limit, the same for every thread count.
#include "trntensor/quantum/pair_tiles.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/quantum/mp2_oracle.hpp"

namespace trntensor::quantum {
namespace {

using testing::expect_error;

/// Every pair i <= j in one tile, and no tile above the size announced.
void expect_cover(const PairTiling& tiling, const PairExtents& extents) {
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  std::int64_t counted = 0;
  for (const PairTile& tile : tiling.tiles) {
    EXPECT_LE(tile.rows() * tile.columns() * extents.nvir * extents.nvir * extents.element_bytes, tiling.tile_bytes);
    counted += tile.pairs();
    for (std::int64_t i = tile.i_begin; i < tile.i_end; ++i) {
      for (std::int64_t j = tile.j_begin; j < tile.j_end; ++j) {
        EXPECT_LE(i, j);
        EXPECT_TRUE(seen.insert({i, j}).second) << "pair " << i << ", " << j << " twice";
      }
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(seen.size()), extents.nocc * (extents.nocc + 1) / 2);
  EXPECT_EQ(counted, extents.nocc * (extents.nocc + 1) / 2);
}

TEST(PairTiles, CoverEveryPairOnce) {
  for (const std::int64_t nocc : {1, 2, 5, 16, 23}) {
    for (const std::int64_t nvir : {1, 3, 90, 700}) {
      const PairExtents extents{nocc, nvir, 3 * nvir, 8};
      expect_cover(tile_pairs(extents, std::nullopt, 4), extents);
      expect_cover(tile_pairs(extents, 40 * nvir * nvir * 8, 4), extents);
    }
  }
}

TEST(PairTiles, KeepToTheLimit) {
  const PairExtents extents{20, 100, 300, 8};
  for (const std::int64_t pairs : {1, 2, 3, 15, 16, 17, 64, 1000}) {
    const std::int64_t limit = pairs * 100 * 100 * 8;
    const PairTiling tiling = tile_pairs(extents, limit, 64);
    EXPECT_LE(tiling.tile_bytes * tiling.workers, limit) << pairs << " pairs";
    EXPECT_GE(tiling.workers, 1);
  }
}

TEST(PairTiles, DoNotDependOnTheThreads) {
  const PairExtents extents{20, 30, 100, 8};
  const PairTiling one = tile_pairs(extents, 1 << 20, 1);
  const PairTiling many = tile_pairs(extents, 1 << 20, 32);
  ASSERT_EQ(one.tiles.size(), many.tiles.size());
  EXPECT_EQ(one.tile_bytes, many.tile_bytes);
  EXPECT_EQ(one.workers, 1);
  EXPECT_GT(many.workers, 1);
}

TEST(PairTiles, LargeWorkIsSharedOutEvenly) {
  const PairExtents extents{21, 93, 420, 8};
  for (const PairTile& tile : tile_pairs(extents, std::nullopt, 2).tiles) EXPECT_LE(6 * tile.pairs(), 21 * 22 / 2);
  EXPECT_EQ(tile_pairs({4, 19, 84, 8}, std::nullopt, 2).tiles.size(), 5U) << "small work is not cut into single pairs";
}

TEST(PairTiles, NeedOfOnePairIsRefusedWithNumbers) {
  const PairExtents extents{4, 100, 300, 8};
  EXPECT_EQ(tile_pairs(extents, 80000, 2).workers, 1);
  expect_error(ErrorKind::kOutOfMemory, {"100 x 100", "80000 bytes", "79999 bytes", "grant at least 80000"},
               [&] { tile_pairs(extents, 79999, 2); });
}

TEST(PairTiles, SizesBeyond63BitsAreRefused) {
  expect_error(ErrorKind::kOutOfMemory, {"4294967296 x 4294967296", "63 bits"},
               [] { tile_pairs({4, std::int64_t{1} << 32, 1, 8}, std::nullopt, 2); });
}

TEST(PairTiles, NothingToDoNeedsNothing) {
  EXPECT_TRUE(tile_pairs({0, 10, 5, 8}, 0, 2).tiles.empty());
  EXPECT_TRUE(tile_pairs({10, 0, 5, 8}, 0, 2).tiles.empty());
}

}  // namespace
}  // namespace trntensor::quantum
