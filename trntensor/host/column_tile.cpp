#include "trntensor/host/column_tile.hpp"

#include <algorithm>

namespace trntensor::host {
namespace {

/// The tile that begins at entry `first`.
ColumnTile column_tile(const GemmPlan& plan, const BlockIndex& out_columns, const BlockIndex& b_columns, bool reads_b,
                       std::int64_t first) {
  const KernelFunctions& functions = plan.kernel->functions;
  ColumnTile tile;
  tile.first = first;
  tile.count = std::min<std::int64_t>(functions.nr, out_columns.count - first);
  tile.run = functions.for_columns(tile.count);
  const std::int64_t piece = functions.column_step / 2;
  const std::int64_t rest = tile.count % functions.column_step;
  tile.is_direct = plan.store.out_holds_sums() &&
                   (rest == 0 || (functions.takes_rests && out_columns.is_contiguous(first + tile.count - rest, rest)));
  for (std::int64_t begin = 0; begin < tile.count; begin += piece) {
    tile.pieces[static_cast<std::size_t>(begin / piece)] = out_columns.offsets[first + begin];
    tile.is_direct = tile.is_direct && out_columns.is_contiguous(first + begin, std::min(piece, tile.count - begin));
  }
  tile.reads_b = reads_b && rest == 0 && b_columns.is_contiguous(first, tile.count);
  tile.b = b_columns.offsets[first];
  return tile;
}

}  // namespace

void cut_column_tiles(const GemmPlan& plan, const BlockIndex& out_columns, const BlockIndex& b_columns, bool reads_b,
                      std::span<ColumnTile> tiles) {
  for (std::size_t j = 0; j < tiles.size(); ++j) {
    const std::int64_t first = static_cast<std::int64_t>(j) * plan.kernel->functions.nr;
    tiles[j] = column_tile(plan, out_columns, b_columns, reads_b, first);
  }
}

}  // namespace trntensor::host
