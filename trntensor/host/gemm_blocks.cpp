#include "trntensor/host/gemm_blocks.hpp"

#include <algorithm>
#include <span>

#include "hwy/cache_control.h"
#include "trntensor/host/column_tile.hpp"
#include "trntensor/host/fetch_ahead.hpp"
#include "trntensor/host/fetch_rows.hpp"
#include "trntensor/host/gemm_packed.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/pack.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/row_bands.hpp"
#include "trntensor/host/workspace.hpp"

namespace trntensor::host {
namespace {

/// A stretch of the indices of one group.
struct Range {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

class RegionRunner {
 public:
  RegionRunner(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run);

  void run();

 private:
  /// KC steps of the sum, or the rest.
  struct StepBlock {
    BlockIndex a_steps;
    BlockIndex b_steps;
    std::byte* packed_a = nullptr;  ///< for all rows
    std::int64_t first = 0;         ///< counted from the region's first step
    bool is_first = false;          ///< of the sum
    bool is_last = false;
  };
  /// Pieces of the workspace that all threads share.
  struct Shared {
    std::byte* packed_a = nullptr;
    std::byte* waiting = nullptr;
    std::int64_t* a_rows = nullptr;
    std::int64_t* out_rows = nullptr;
    std::int64_t* a_steps = nullptr;
    std::int64_t* b_steps = nullptr;
    StepBlock* step_blocks = nullptr;
  };
  /// The rows, columns and part of the sum that are being worked on.
  struct Current {
    Range columns;
    std::int64_t first_row = 0;  ///< counted from the region's first one
    BlockIndex a_rows;
    BlockIndex out_rows;
    std::span<StepBlock> steps;
    RawTiles sums;  ///< of these rows and columns; no memory: sums stay in the result
  };
  /// A packed block of B and what a thread needs to work on it.
  struct ColumnBlock {
    std::byte* packed_b = nullptr;
    BlockIndex b_columns;
    BlockIndex out_columns;
    std::int64_t first_column = 0;       ///< counted from the region's first one
    std::int64_t first_tile_column = 0;  ///< in Current::sums
    std::span<ColumnTile> tiles;
    std::byte* tile = nullptr;
    std::byte* bands = nullptr;  ///< two of MR rows of the result, if it leaves in bands
  };
  /// One call of the micro-kernel: row tile i, some columns, some steps.
  struct Tile {
    const ColumnBlock& block;
    const StepBlock& steps;
    const ColumnTile& columns;
    std::int64_t i;
    std::byte* band = nullptr;  ///< where the rows go instead of the result
  };

  [[nodiscard]] std::size_t workspace_bytes() const;
  Shared cut(WorkspaceCutter cutter, std::size_t* bytes) const;
  void run_rows(const Range& rows);
  void run_columns(const Range& columns);
  void cut_steps(const Range& steps);
  void pack_a() const;
  void pack_b(const ColumnBlock& block, const StepBlock& steps) const;
  void run_column_block(const Range& columns) const;
  void run_tiles(const ColumnBlock& block, const StepBlock& steps, FetchAhead next_b) const;
  [[nodiscard]] FetchAhead packed_b_after(const ColumnBlock& block, std::size_t steps) const;
  [[nodiscard]] KernelArgs args_of(const StepBlock& steps) const;
  [[nodiscard]] std::int64_t band_bytes() const { return mr_ * plan_.problem.n_size * element_; }
  [[nodiscard]] bool packs_a() const { return how_.a_is_packed && run_.packed.a == nullptr; }
  [[nodiscard]] const std::byte* packed_a_of(const StepBlock& steps) const;
  [[nodiscard]] const std::byte* packed_b_of(const ColumnBlock& block, const StepBlock& steps) const;
  void run_tile(const Tile& at, KernelArgs& args) const;
  void run_waiting_tile(const Tile& at, KernelArgs& args) const;
  [[nodiscard]] TileTarget target_of(const Tile& at) const;
  const GemmPlan& plan_;
  const GemmData& data_;
  const GemmRegion& region_;
  const GemmRun& run_;
  std::int64_t mr_;
  std::int64_t nr_;
  std::int64_t element_;  ///< bytes of a sum, and of a lane of a panel in each step
  RegionPlan how_;
  Workspace workspace_;
  Shared shared_;
  Current current_;
};

RegionRunner::RegionRunner(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run)
    : plan_(plan),
      data_(data),
      region_(region),
      run_(run),
      mr_(plan.kernel->functions.mr),
      nr_(plan.kernel->functions.nr),
      element_(static_cast<std::int64_t>(size_of(plan.kernel->dtype))),
      how_(plan, data, region, run),
      workspace_(workspace_bytes()),
      shared_(cut(WorkspaceCutter(workspace_.data()), nullptr)) {}

std::size_t RegionRunner::workspace_bytes() const {
  std::size_t bytes = 0;
  cut(WorkspaceCutter(), &bytes);
  return bytes;
}

RegionRunner::Shared RegionRunner::cut(WorkspaceCutter cutter, std::size_t* bytes) const {
  Shared shared;
  shared.packed_a = cutter.take<std::byte>(
      packs_a() ? to_size(how_.blocks.mc * plan_.kernel->steps(how_.blocks.packed_steps) * element_) : 0);
  if (how_.sums_wait) {
    const std::int64_t tiles = how_.blocks.mc / mr_ * ceil_div(how_.columns_of_pass, nr_);
    shared.waiting = cutter.take<std::byte>(to_size(tiles * plan_.store.tile_bytes()));
  }
  shared.a_rows = cutter.take<std::int64_t>(to_size(how_.blocks.mc));
  shared.out_rows = cutter.take<std::int64_t>(to_size(how_.blocks.mc));
  shared.a_steps = cutter.take<std::int64_t>(to_size(how_.blocks.packed_steps));
  shared.b_steps = cutter.take<std::int64_t>(to_size(how_.blocks.packed_steps));
  shared.step_blocks = cutter.take<StepBlock>(to_size(how_.blocks.packed_steps / how_.blocks.kc));
  if (bytes != nullptr) *bytes = cutter.used();
  return shared;
}

void RegionRunner::run() {
  for (std::int64_t m = region_.m_begin; m < region_.m_end; m += how_.blocks.mc) {
    run_rows({m, std::min(how_.blocks.mc, region_.m_end - m)});
  }
}

void RegionRunner::run_rows(const Range& rows) {
  const BinaryProblem& problem = plan_.problem;
  const std::size_t count = to_size(rows.count);
  current_.first_row = rows.begin - region_.m_begin;
  current_.a_rows = make_block_index(problem.m, &GroupAxis::a, rows.begin, {shared_.a_rows, count});
  // Kernels that read A in place read whole tiles.
  std::fill(shared_.a_rows + count, shared_.a_rows + ceil_div(rows.count, mr_) * mr_, shared_.a_rows[count - 1]);
  current_.out_rows = make_block_index(problem.m, &GroupAxis::out, rows.begin, {shared_.out_rows, count});
  for (std::int64_t n = region_.n_begin; n < region_.n_end; n += how_.columns_of_pass) {
    const Range columns{n, std::min(how_.columns_of_pass, region_.n_end - n)};
    if (how_.sums_wait) current_.sums = {shared_.waiting, ceil_div(columns.count, nr_)};
    if (run_.sums.data != nullptr) {  // a pass then takes all columns of the region
      const std::int64_t tiles = (rows.begin - region_.m_begin) / mr_ * run_.sums.columns;
      current_.sums = {run_.sums.data + tiles * plan_.store.tile_bytes(), run_.sums.columns};
    }
    run_columns(columns);
  }
}

void RegionRunner::run_columns(const Range& columns) {
  current_.columns = columns;
  std::int64_t k = region_.k_begin;
  do {  // once for an empty sum: the result is then beta * out
    const std::int64_t steps = std::min(how_.blocks.packed_steps, region_.k_end - k);
    cut_steps({k, steps});
    if (packs_a()) pack_a();
    parallel_for(run_.threads > 1, ceil_div(columns.count, how_.blocks.nc), [&](std::int64_t block) {
      const std::int64_t begin = columns.begin + block * how_.blocks.nc;
      run_column_block({begin, std::min(how_.blocks.nc, columns.begin + columns.count - begin)});
    });
    k += how_.blocks.packed_steps;
  } while (k < region_.k_end);
}

void RegionRunner::cut_steps(const Range& steps) {
  const BinaryProblem& problem = plan_.problem;
  const std::int64_t packed_rows = ceil_div(current_.a_rows.count, mr_) * mr_;
  const std::int64_t blocks = std::max<std::int64_t>(1, ceil_div(steps.count, how_.blocks.kc));
  current_.steps = {shared_.step_blocks, to_size(blocks)};
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::int64_t before = i * how_.blocks.kc;
    const std::int64_t begin = steps.begin + before;
    const std::size_t count = to_size(std::min(how_.blocks.kc, steps.count - before));
    StepBlock& block = current_.steps[to_size(i)];
    block.a_steps = make_block_index(problem.k, &GroupAxis::a, begin, {shared_.a_steps + before, count});
    block.b_steps = make_block_index(problem.k, &GroupAxis::b, begin, {shared_.b_steps + before, count});
    block.first = begin - region_.k_begin;
    block.packed_a = packs_a() ? shared_.packed_a + plan_.kernel->steps(before) * packed_rows * element_ : nullptr;
    block.is_first = begin == region_.k_begin;
    block.is_last = begin + block.a_steps.count >= region_.k_end;
  }
}

void RegionRunner::pack_a() const {
  const KernelFunctions& functions = plan_.kernel->functions;
  const std::int64_t panels = ceil_div(current_.a_rows.count, mr_);
  const std::int64_t units = ceil_div(current_.a_rows.count, plan_.units.m);
  const std::int64_t panels_of_unit = plan_.units.m / mr_;
  const std::int64_t pieces = run_.threads > 1 ? std::min<std::int64_t>(units, 4 * std::int64_t{run_.threads}) : 1;
  parallel_for(run_.threads > 1, pieces, [&](std::int64_t piece) {
    for (const StepBlock& steps : current_.steps) {
      check_stop(run_.stop);
      const PackJob job{&plan_.load_a,   functions.pack_a, plan_.pack_a,  functions.box_a,    mr_, element_, data_.a,
                        current_.a_rows, steps.a_steps,    plan_.row_box, plan_.kernel->terms};
      pack_panels(job, units * piece / pieces * panels_of_unit,
                  std::min(panels, units * (piece + 1) / pieces * panels_of_unit), steps.packed_a);
    }
  });
}

void RegionRunner::pack_b(const ColumnBlock& block, const StepBlock& steps) const {
  const KernelFunctions& functions = plan_.kernel->functions;
  const PackJob job{&plan_.load_b,   functions.pack_b, plan_.pack_b,     functions.box_b,    nr_, element_, data_.b,
                    block.b_columns, steps.b_steps,    plan_.column_box, plan_.kernel->terms};
  if (!how_.reads_b) {
    pack_panels(job, 0, job.panel_count(), block.packed_b);
    return;
  }
  for (std::int64_t panel = 0; panel < job.panel_count(); ++panel) {
    if (!block.tiles[to_size(panel)].reads_b) pack_panels(job, panel, panel + 1, block.packed_b);
  }
}

void RegionRunner::run_column_block(const Range& columns) const {
  const std::int64_t tiles = ceil_div(columns.count, nr_);
  const std::size_t count = to_size(columns.count);
  ColumnBlock block;
  std::int64_t* b_columns = nullptr;
  std::int64_t* out_columns = nullptr;
  const auto cut_pieces = [&](WorkspaceCutter cutter) {
    const std::int64_t packed_bytes =
        run_.packed.b == nullptr ? tiles * nr_ * plan_.kernel->steps(how_.blocks.kc) * element_ : 0;
    block.packed_b = cutter.take<std::byte>(to_size(packed_bytes));
    block.tile = cutter.take<std::byte>(to_size(plan_.store.tile_bytes()));
    if (how_.has_bands) block.bands = cutter.take<std::byte>(to_size(2 * band_bytes()));
    b_columns = cutter.take<std::int64_t>(count);
    out_columns = cutter.take<std::int64_t>(count);
    block.tiles = {cutter.take<ColumnTile>(to_size(tiles)), to_size(tiles)};
    return cutter.used();
  };
  const Workspace workspace(cut_pieces(WorkspaceCutter()));
  cut_pieces(WorkspaceCutter(workspace.data()));

  block.b_columns = make_block_index(plan_.problem.n, &GroupAxis::b, columns.begin, {b_columns, count});
  block.out_columns = make_block_index(plan_.problem.n, &GroupAxis::out, columns.begin, {out_columns, count});
  block.first_column = columns.begin - region_.n_begin;
  block.first_tile_column = (columns.begin - current_.columns.begin) / nr_;
  cut_column_tiles(plan_, block.out_columns, block.b_columns, how_.reads_b, block.tiles);
  if (!std::all_of(block.tiles.begin(), block.tiles.end(), [](const ColumnTile& tile) { return tile.is_direct; })) {
    block.bands = nullptr;
  }
  for (std::size_t i = 0; i < current_.steps.size(); ++i) {
    check_stop(run_.stop);
    if (run_.packed.b == nullptr) pack_b(block, current_.steps[i]);
    run_tiles(block, current_.steps[i], packed_b_after(block, i));
  }
  if (how_.is_streamed || how_.has_bands) hwy::FlushStream();
}

/// The first panel of the current rows.
const std::byte* RegionRunner::packed_a_of(const StepBlock& steps) const {
  const PackedPlace place{region_.m_end - region_.m_begin, mr_, current_.first_row, element_};
  return run_.packed.a == nullptr
             ? steps.packed_a
             : run_.packed.a + place.bytes(plan_.kernel->steps(steps.first), plan_.kernel->steps(steps.a_steps.count));
}

/// The first panel of the block's columns.
const std::byte* RegionRunner::packed_b_of(const ColumnBlock& block, const StepBlock& steps) const {
  const PackedPlace place{region_.n_end - region_.n_begin, nr_, block.first_column, element_};
  return run_.packed.b == nullptr
             ? block.packed_b
             : run_.packed.b + place.bytes(plan_.kernel->steps(steps.first), plan_.kernel->steps(steps.a_steps.count));
}

/// The panels of a B packed ahead that are used after these.
FetchAhead RegionRunner::packed_b_after(const ColumnBlock& block, std::size_t steps) const {
  if (run_.packed.b == nullptr || steps + 1 == current_.steps.size()) return {};
  const StepBlock& next = current_.steps[steps + 1];
  return {packed_b_of(block, next), std::ssize(block.tiles) * nr_ * plan_.kernel->steps(next.a_steps.count) * element_};
}

/// What all tiles have in common.
KernelArgs RegionRunner::args_of(const StepBlock& steps) const {
  KernelArgs args;
  args.k = plan_.kernel->steps(steps.a_steps.count);
  if (!how_.a_is_packed && args.k > 0) {
    args.a = data_.a + steps.a_steps.offsets[0] * element_;
    args.a_step = steps.a_steps.inner_stride;
  }
  return args;
}

/// Along the rows of the result: a panel of A stays in L1, the panels of B come from L2 one after another.
void RegionRunner::run_tiles(const ColumnBlock& block, const StepBlock& steps, FetchAhead next_b) const {
  const std::int64_t row_tiles = ceil_div(current_.out_rows.count, mr_);
  const std::byte* packed_a = packed_a_of(steps);
  const std::byte* packed_b = packed_b_of(block, steps);
  KernelArgs args = args_of(steps);
  const std::int64_t panel = mr_ * args.k * element_;
  RowBands bands(block.bands, band_bytes(), plan_.stream_run);
  for (std::int64_t i = 0; i < row_tiles; ++i) {
    FetchAhead next_a;
    if (how_.a_is_packed) {
      const std::byte* a = packed_a + i * panel;
      args.a = a;
      if (i + 1 < row_tiles) next_a = {a + panel, panel};
    } else {
      args.a_rows = current_.a_rows.offsets + i * mr_;
      if (how_.fetches_a) fetch_rows_ahead(args, current_.a_rows, i, mr_, element_);
    }
    std::byte* band = current_.out_rows.run_length(i * mr_) >= mr_ ? bands.now() : nullptr;
    for (const ColumnTile& columns : block.tiles) {
      args.ahead = next_a.is_done() ? next_b.take(args.k) : next_a.take(args.k);
      if (columns.reads_b) {
        args.b = data_.b + (columns.b + steps.b_steps.offsets[0]) * element_;
        args.b_step = steps.b_steps.inner_stride;
      } else {
        args.b = packed_b + columns.first * args.k * element_;
        args.b_step = nr_;
      }
      if (current_.sums.data != nullptr) {
        run_waiting_tile({block, steps, columns, i}, args);
      } else {
        run_tile({block, steps, columns, i, band}, args);
      }
    }
    if (band != nullptr) bands.finish(data_.out + current_.out_rows.offsets[i * mr_] * element_);
  }
}

void RegionRunner::run_tile(const Tile& at, KernelArgs& args) const {
  const KernelScale& scale = *run_.scale;
  args.column_count = at.columns.count;
  if (at.columns.is_direct) {
    args.c = at.band != nullptr ? at.band : data_.out;
    args.rows = at.band != nullptr ? plan_.band_rows.data() : current_.out_rows.offsets + at.i * mr_;
    args.row_count = std::min(mr_, current_.out_rows.count - at.i * mr_);
    args.pieces = at.columns.pieces.data();
    args.is_streamed = how_.is_streamed;
    args.alpha = scale.alpha.data();
    args.beta = at.steps.is_first ? scale.beta.data() : scale.one.data();
    at.columns.run(args);
    return;
  }
  args.c = at.block.tile;
  plan_.take_own_tile(args, at.columns.count);
  args.alpha = scale.one.data();
  args.beta = scale.zero.data();
  at.columns.run(args);
  plan_.store.finish(at.block.tile, target_of(at), scale, !at.steps.is_first);
}

void RegionRunner::run_waiting_tile(const Tile& at, KernelArgs& args) const {
  const KernelScale& scale = *run_.scale;
  const std::int64_t index = at.i * current_.sums.columns + at.block.first_tile_column + at.columns.first / nr_;
  std::byte* tile = current_.sums.data + index * plan_.store.tile_bytes();
  args.c = tile;
  plan_.take_own_tile(args, at.columns.count);
  args.alpha = scale.one.data();
  args.beta = at.steps.is_first ? scale.zero.data() : scale.one.data();
  // Tiles are added as a whole: what no kernel writes is 0.
  if (at.steps.is_first && at.columns.count < nr_) std::fill_n(tile, plan_.store.tile_bytes(), std::byte{});
  at.columns.run(args);
  if (at.steps.is_last && run_.sums.data == nullptr) {
    plan_.store.finish(tile, target_of(at), scale, false);
  } else {
    plan_.store.clamp(tile);
  }
}

TileTarget RegionRunner::target_of(const Tile& at) const {
  return {.out = data_.out,
          .row_offsets = current_.out_rows.offsets + at.i * mr_,
          .rows = std::min(mr_, current_.out_rows.count - at.i * mr_),
          .columns = &at.block.out_columns,
          .first_column = at.columns.first,
          .column_count = at.columns.count};
}

}  // namespace

void run_gemm_region(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run) {
  RegionRunner(plan, data, region, run).run();
}

}  // namespace trntensor::host
