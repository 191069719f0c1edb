#include "trntensor/host/column_tile.hpp"

#include <algorithm>

namespace trntensor::host {

ColumnTile column_tile(const GemmPlan& plan, const BlockIndex& out_columns, std::int64_t first) {
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
  return tile;
}

}  // namespace trntensor::host
