#include "trntensor/host/epilogue_tiles.hpp"

#include "trntensor/host/integer_math.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

/// For the panels of all workers.
constexpr std::int64_t kPanelBytes = std::int64_t{128} << 20;
/// Packing an operand eight times less often makes it cheap enough.
constexpr std::int64_t kLargestEdge = 8;
/// Tiles that a worker gets at least, so that all end at about the same time.
constexpr std::int64_t kTilesPerWorker = 24;

/// Tiles whose blocks take turns are made for so many.
constexpr int kWorkersThatTakeTurns = 8;

template <typename Visit>
void visit_computed(const EpiloguePlan& plan, const Visit& visit) {
  const BlockGrid& grid = plan.grid;
  for (std::int64_t batch = 0; batch < grid.blocks(BlockSide::kBatch); ++batch) {
    for (std::int64_t left = 0; left < grid.blocks(BlockSide::kLeft); ++left) {
      for (std::int64_t right = 0; right < grid.blocks(BlockSide::kRight); ++right) {
        const Block block = grid.block(batch, left, right);
        if (is_computed(plan, block)) visit(block);
      }
    }
  }
}

std::int64_t count_blocks(const EpiloguePlan& plan, const BlockTiles& tiles) {
  if (plan.mirror.empty()) return tiles.batches * tiles.lefts * tiles.rights;
  std::int64_t blocks = 0;
  visit_computed(plan, [&](const Block&) { ++blocks; });
  return blocks;
}

}  // namespace

BlockTile BlockTiles::tile(std::int64_t index) const noexcept {
  const std::int64_t columns = ceil_div(lefts, edge);
  const std::int64_t rows = ceil_div(rights, edge);
  const std::int64_t left = index % columns * edge;
  const std::int64_t right = index / columns % rows * edge;
  return {index / columns / rows, left, std::min(left + edge, lefts), right, std::min(right + edge, rights)};
}

BlockTiles make_tiles(const EpiloguePlan& plan, int threads) {
  // Blocks that share arrays add to them tile by tile, so that tiles must be the same for any number of threads.
  const bool take_turns =
      std::any_of(plan.sums.begin(), plan.sums.end(), [](const BlockSum& sum) { return sum.takes_turns; });
  const int workers = take_turns ? kWorkersThatTakeTurns : threads;
  BlockTiles tiles;
  tiles.batches = plan.grid.blocks(BlockSide::kBatch);
  tiles.lefts = plan.grid.blocks(BlockSide::kLeft);
  tiles.rights = plan.grid.blocks(BlockSide::kRight);
  tiles.blocks = count_blocks(plan, tiles);
  std::int64_t left_bytes = 1;
  for (const auto& [extents, product] : plan.products) left_bytes = std::max(left_bytes, product->packed_a_bytes());
  const std::int64_t affordable = panel_bytes(workers) / left_bytes - 1;  // one is for the right side
  tiles.edge = std::clamp<std::int64_t>(affordable, 1, kLargestEdge);
  while (tiles.edge > 1 && tiles.count() < kTilesPerWorker * workers) --tiles.edge;
  return tiles;
}

bool is_computed(const EpiloguePlan& plan, const Block& block) {
  for (std::size_t k = 0; k < plan.mirror.size(); ++k) {
    const std::int64_t mirrored = block.number[plan.mirror[k]];
    if (block.number[k] != mirrored) return block.number[k] < mirrored;
  }
  return true;
}

bool is_on_diagonal(const EpiloguePlan& plan, const Block& block) {
  for (std::size_t k = 0; k < plan.mirror.size(); ++k) {
    if (block.number[k] != block.number[plan.mirror[k]]) return false;
  }
  return true;
}

double computed_elements(const EpiloguePlan& plan) {
  double elements = 0;
  visit_computed(plan, [&](const Block& block) {
    double product = 1;
    for (const std::int64_t extent : block.extent) product *= static_cast<double>(extent);
    elements += product;
  });
  return elements;
}

std::int64_t panel_bytes(int workers) noexcept { return kPanelBytes / workers; }

int epilogue_workers(const EpiloguePlan& plan, int threads) {
  const BlockGrid& grid = plan.grid;
  const std::int64_t bytes = plan.block_bytes();
  const std::int64_t blocks =
      grid.blocks(BlockSide::kBatch) * grid.blocks(BlockSide::kLeft) * grid.blocks(BlockSide::kRight);
  std::int64_t workers = std::min<std::int64_t>(usable_threads(threads), blocks);
  if (plan.problem.memory_limit && bytes > 0) {
    workers = std::min(workers, (*plan.problem.memory_limit - plan.sum_bytes()) / bytes);
  }
  return static_cast<int>(std::max<std::int64_t>(workers, 1));
}

}  // namespace trntensor::host
