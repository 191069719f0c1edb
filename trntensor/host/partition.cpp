#include "trntensor/host/partition.hpp"

#include <algorithm>

#include "trntensor/plan/sum_lengths.hpp"

namespace trntensor::host {
namespace {

/// Multiply-adds that make one more thread worth waking: some ten microseconds.
constexpr double kMacsPerThread = 256.0 * 1024.0;

/// Tiles of a slice: with fewer, packing is a large part of the work.
constexpr std::int64_t kRowTiles = 4;
constexpr std::int64_t kColumnTiles = 2;

/// Rows for each column from which on packing B once more for each thread costs nothing that counts.
constexpr std::int64_t kTall = 8;

std::int64_t at_least_one(std::int64_t value) { return std::max<std::int64_t>(1, value); }

}  // namespace

Partition choose_partition(const BinaryProblem& problem, const GemmKernel& kernel, int threads) {
  Partition partition;
  const double worth = problem.macs() / kMacsPerThread;
  const auto workers = static_cast<std::int64_t>(std::min(static_cast<double>(threads), worth));
  if (workers <= 1) return partition;
  // Whole items need no second packing and no waiting; few of them would leave threads idle at the end.
  const std::int64_t items = problem.batch_size;
  const double item_worth = worth / static_cast<double>(items);
  if (items >= 4 * workers || (items >= workers && items % workers == 0) || item_worth < 2) {
    partition.items = static_cast<int>(std::min(items, workers));
    return partition;
  }
  const std::int64_t row_tiles = problem.m_size / kernel.functions.mr;
  const std::int64_t column_tiles = problem.n_size / kernel.functions.nr;
  // Slices of rows share nothing, so they neither wait for each other nor take panels of A from far; each packs all of
  // B.
  const std::int64_t most_rows = std::min(workers, at_least_one(row_tiles / kRowTiles));
  const std::int64_t most_columns = std::min(workers, at_least_one(column_tiles / kColumnTiles));
  const bool is_tall = problem.m_size >= kTall * problem.n_size;
  const std::int64_t rows = is_tall ? most_rows : std::min(most_rows, workers / most_columns);
  const std::int64_t column_threads = std::min(most_columns, workers / rows);
  partition.rows = static_cast<int>(rows);
  partition.column_threads = static_cast<int>(column_threads);
  if (rows * column_threads == 1 && !problem.any_threads) {
    partition.sums = static_cast<int>(std::min(workers, at_least_one(problem.k_size / plan::kStepsOfSlice)));
  }
  return partition;
}

}  // namespace trntensor::host
