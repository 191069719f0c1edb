#include "trntensor/host/gemm_blocks.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/pack.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/workspace.hpp"

namespace trntensor::host {
namespace {

/// Memory for sums that wait for the rest of their terms because the result cannot hold them.
constexpr std::int64_t kWaitingBytes = std::int64_t{16} << 20;

std::size_t to_size(std::int64_t count) { return static_cast<std::size_t>(count); }

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
  /// Pieces of the workspace that all threads share.
  struct Shared {
    std::byte* packed_b = nullptr;
    std::byte* waiting = nullptr;
    std::int64_t* b_columns = nullptr;
    std::int64_t* out_columns = nullptr;
    std::int64_t* a_steps = nullptr;
    std::int64_t* b_steps = nullptr;
  };
  /// The blocks of columns, rows and the sum that are being worked on.
  struct Current {
    Range rows;
    BlockIndex b_columns;
    BlockIndex out_columns;
    BlockIndex a_steps;
    BlockIndex b_steps;
    const std::byte* packed_b = nullptr;
    std::int64_t first_column = 0;
    std::int64_t first_step = 0;
    bool is_first = false;  ///< of the sum
    bool is_last = false;
    RawTiles sums;  ///< of these rows and columns; no memory: sums stay in the result
  };
  /// A packed block of A and what a thread needs to work on it.
  struct RowBlock {
    const std::byte* packed_a = nullptr;
    BlockIndex out_rows;
    std::int64_t first_tile_row = 0;  ///< in Current::sums
    std::byte* tile = nullptr;
  };

  /// Columns of a tile.
  struct ColumnTile {
    std::int64_t first = 0;
    std::int64_t count = 0;
    bool is_vectors = false;  ///< whole vectors side by side in the result, which the kernel can write itself
    MicroKernel run = nullptr;
  };

  [[nodiscard]] std::int64_t rows_that_wait() const;
  [[nodiscard]] std::size_t workspace_bytes() const;
  Shared cut(WorkspaceCutter cutter, std::size_t* bytes) const;
  void run_columns(const Range& columns);
  void run_rows(const Range& rows);
  void pack_b() const;
  [[nodiscard]] std::int64_t place_in_panels(std::int64_t lanes, std::int64_t width, std::int64_t lane) const;
  void run_row_block(const Range& rows) const;
  void run_tiles(const RowBlock& block) const;
  void run_tile(const RowBlock& block, std::int64_t i, const ColumnTile& columns, KernelArgs& args) const;
  void run_waiting_tile(const RowBlock& block, std::int64_t i, const ColumnTile& columns, KernelArgs& args) const;
  [[nodiscard]] TileTarget target_of(const RowBlock& block, std::int64_t i, const ColumnTile& columns) const;

  const GemmPlan& plan_;
  const GemmData& data_;
  const GemmRegion& region_;
  const GemmRun& run_;
  std::int64_t mr_;
  std::int64_t nr_;
  std::int64_t element_;  ///< bytes
  std::int64_t mc_;
  std::int64_t nc_;
  std::int64_t kc_;
  bool sums_wait_;
  std::int64_t waiting_rows_;  ///< rows of a pass over the sum: all, or those whose sums the workspace holds
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
      mc_(balanced_block(region.m_end - region.m_begin, plan.blocking.mc, mr_, run.threads)),
      nc_(balanced_block(region.n_end - region.n_begin, plan.blocking.nc, nr_)),
      kc_(balanced_block(region.k_end - region.k_begin, plan.blocking.kc, 1)),
      sums_wait_(run.sums.data == nullptr && !plan.store.out_holds_sums() && region.k_end - region.k_begin > kc_),
      waiting_rows_(rows_that_wait()),
      workspace_(workspace_bytes()),
      shared_(cut(WorkspaceCutter(workspace_.data()), nullptr)) {}

std::int64_t RegionRunner::rows_that_wait() const {
  const std::int64_t rows = region_.m_end - region_.m_begin;
  if (!sums_wait_) return rows;
  const std::int64_t tile_rows = kWaitingBytes / (nc_ / nr_ * plan_.store.tile_bytes());
  return std::min(rows, std::max(tile_rows, mc_ / mr_) * mr_);
}

std::size_t RegionRunner::workspace_bytes() const {
  std::size_t bytes = 0;
  cut(WorkspaceCutter(), &bytes);
  return bytes;
}

RegionRunner::Shared RegionRunner::cut(WorkspaceCutter cutter, std::size_t* bytes) const {
  Shared shared;
  if (run_.packed.b == nullptr) shared.packed_b = cutter.take<std::byte>(to_size(nc_ * kc_ * element_));
  if (sums_wait_) {
    const std::int64_t tiles = ceil_div(waiting_rows_, mr_) * (nc_ / nr_);
    shared.waiting = cutter.take<std::byte>(to_size(tiles * plan_.store.tile_bytes()));
  }
  shared.b_columns = cutter.take<std::int64_t>(to_size(nc_));
  shared.out_columns = cutter.take<std::int64_t>(to_size(nc_));
  shared.a_steps = cutter.take<std::int64_t>(to_size(kc_));
  shared.b_steps = cutter.take<std::int64_t>(to_size(kc_));
  if (bytes != nullptr) *bytes = cutter.used();
  return shared;
}

void RegionRunner::run() {
  for (std::int64_t n = region_.n_begin; n < region_.n_end; n += nc_) {
    run_columns({n, std::min(nc_, region_.n_end - n)});
  }
}

void RegionRunner::run_columns(const Range& columns) {
  const BinaryProblem& problem = plan_.problem;
  const std::size_t count = to_size(columns.count);
  current_.first_column = columns.begin;
  current_.b_columns = make_block_index(problem.n, &GroupAxis::b, columns.begin, {shared_.b_columns, count});
  current_.out_columns = make_block_index(problem.n, &GroupAxis::out, columns.begin, {shared_.out_columns, count});
  if (sums_wait_) current_.sums = {shared_.waiting, ceil_div(columns.count, nr_)};
  for (std::int64_t m = region_.m_begin; m < region_.m_end; m += waiting_rows_) {
    if (run_.sums.data != nullptr) {  // waiting_rows_ is then the whole region
      const std::int64_t first_tile = (columns.begin - region_.n_begin) / nr_;
      current_.sums = {run_.sums.data + first_tile * plan_.store.tile_bytes(), run_.sums.columns};
    }
    run_rows({m, std::min(waiting_rows_, region_.m_end - m)});
  }
}

void RegionRunner::run_rows(const Range& rows) {
  const BinaryProblem& problem = plan_.problem;
  current_.rows = rows;
  std::int64_t k = region_.k_begin;
  do {  // once for an empty sum: the result is then beta * out
    const std::int64_t steps = std::min(kc_, region_.k_end - k);
    current_.first_step = k;
    current_.is_first = k == region_.k_begin;
    current_.is_last = k + steps >= region_.k_end;
    current_.a_steps = make_block_index(problem.k, &GroupAxis::a, k, {shared_.a_steps, to_size(steps)});
    current_.b_steps = make_block_index(problem.k, &GroupAxis::b, k, {shared_.b_steps, to_size(steps)});
    if (run_.packed.b == nullptr) {
      pack_b();
      current_.packed_b = shared_.packed_b;
    } else {
      const std::int64_t column = current_.first_column - region_.n_begin;
      current_.packed_b = run_.packed.b + place_in_panels(region_.n_end - region_.n_begin, nr_, column);
    }
    parallel_for(run_.threads > 1, ceil_div(rows.count, mc_), [&](std::int64_t block) {
      const std::int64_t begin = rows.begin + block * mc_;
      run_row_block({begin, std::min(mc_, rows.begin + rows.count - begin)});
    });
    k += kc_;
  } while (k < region_.k_end);
}

void RegionRunner::pack_b() const {
  const PackJob job{&plan_.load_b,   plan_.kernel->functions.pack_b, nr_, element_, data_.b, current_.b_columns,
                    current_.b_steps};
  const std::int64_t panels = job.panel_count();
  const std::int64_t pieces = run_.threads > 1 ? std::min<std::int64_t>(panels, 4 * std::int64_t{run_.threads}) : 1;
  parallel_for(run_.threads > 1, pieces, [&](std::int64_t piece) {
    check_stop(run_.stop);
    pack_panels(job, panels * piece / pieces, panels * (piece + 1) / pieces, shared_.packed_b);
  });
}

// Packed operands hold the blocks of the sum one after another, of each all panels.
std::int64_t RegionRunner::place_in_panels(std::int64_t lanes, std::int64_t width, std::int64_t lane) const {
  const std::int64_t steps_before = current_.first_step - region_.k_begin;
  return (ceil_div(lanes, width) * width * steps_before + lane * current_.a_steps.count) * element_;
}

void RegionRunner::run_row_block(const Range& rows) const {
  check_stop(run_.stop);
  const std::int64_t packed_rows = ceil_div(rows.count, mr_) * mr_;
  std::byte* packed_a = nullptr;
  std::byte* tile = nullptr;
  std::int64_t* a_rows = nullptr;
  std::int64_t* out_rows = nullptr;
  const auto cut_pieces = [&](WorkspaceCutter cutter) {
    const std::int64_t packed_bytes = packed_rows * current_.a_steps.count * element_;
    if (run_.packed.a == nullptr) packed_a = cutter.take<std::byte>(to_size(packed_bytes));
    tile = cutter.take<std::byte>(to_size(plan_.store.tile_bytes()));
    a_rows = cutter.take<std::int64_t>(to_size(rows.count));
    out_rows = cutter.take<std::int64_t>(to_size(rows.count));
    return cutter.used();
  };
  const Workspace workspace(cut_pieces(WorkspaceCutter()));
  cut_pieces(WorkspaceCutter(workspace.data()));

  const std::size_t count = to_size(rows.count);
  RowBlock block;
  block.packed_a = packed_a;
  if (run_.packed.a == nullptr) {
    const PackJob job{&plan_.load_a,
                      plan_.kernel->functions.pack_a,
                      mr_,
                      element_,
                      data_.a,
                      make_block_index(plan_.problem.m, &GroupAxis::a, rows.begin, {a_rows, count}),
                      current_.a_steps};
    pack_panels(job, 0, job.panel_count(), packed_a);
  } else {
    const std::int64_t row = rows.begin - region_.m_begin;
    block.packed_a = run_.packed.a + place_in_panels(region_.m_end - region_.m_begin, mr_, row);
  }
  block.out_rows = make_block_index(plan_.problem.m, &GroupAxis::out, rows.begin, {out_rows, count});
  block.first_tile_row = (rows.begin - current_.rows.begin) / mr_;
  block.tile = tile;
  run_tiles(block);
}

void RegionRunner::run_tiles(const RowBlock& block) const {
  const std::int64_t steps = current_.a_steps.count;
  const std::int64_t row_tiles = ceil_div(block.out_rows.count, mr_);
  const KernelFunctions& functions = plan_.kernel->functions;
  KernelArgs args;
  args.k = steps;
  for (std::int64_t first = 0; first < current_.out_columns.count; first += nr_) {
    ColumnTile columns;
    columns.first = first;
    columns.count = std::min(nr_, current_.out_columns.count - first);
    columns.is_vectors = columns.count % functions.column_step == 0 &&
                         current_.out_columns.is_contiguous(first, columns.count) && plan_.store.out_holds_sums();
    columns.run = functions.for_columns(columns.count);
    args.b = current_.packed_b + first * steps * element_;
    for (std::int64_t i = 0; i < row_tiles; ++i) {
      args.a = block.packed_a + i * mr_ * steps * element_;
      if (current_.sums.data != nullptr) {
        run_waiting_tile(block, i, columns, args);
      } else {
        run_tile(block, i, columns, args);
      }
    }
  }
}

void RegionRunner::run_tile(const RowBlock& block, std::int64_t i, const ColumnTile& columns, KernelArgs& args) const {
  const KernelScale& scale = *run_.scale;
  const TileTarget target = target_of(block, i, columns);
  if (columns.is_vectors && target.rows == mr_) {
    args.c = data_.out + current_.out_columns.offsets[columns.first] * element_;
    args.rows = target.row_offsets;
    args.alpha = scale.alpha.data();
    args.beta = current_.is_first ? scale.beta.data() : scale.one.data();
    columns.run(args);
    return;
  }
  args.c = block.tile;
  args.rows = plan_.tile_rows.data();
  args.alpha = scale.one.data();
  args.beta = scale.zero.data();
  columns.run(args);
  plan_.store.finish(block.tile, target, scale, !current_.is_first);
}

void RegionRunner::run_waiting_tile(const RowBlock& block, std::int64_t i, const ColumnTile& columns,
                                    KernelArgs& args) const {
  const KernelScale& scale = *run_.scale;
  const std::int64_t index = (block.first_tile_row + i) * current_.sums.columns + columns.first / nr_;
  std::byte* tile = current_.sums.data + index * plan_.store.tile_bytes();
  args.c = tile;
  args.rows = plan_.tile_rows.data();
  args.alpha = scale.one.data();
  args.beta = current_.is_first ? scale.zero.data() : scale.one.data();
  plan_.kernel->functions.for_columns(nr_)(args);  // all columns: the tile must hold no number that was never written
  if (current_.is_last && run_.sums.data == nullptr) {
    plan_.store.finish(tile, target_of(block, i, columns), scale, false);
  } else {
    plan_.store.clamp(tile);
  }
}

TileTarget RegionRunner::target_of(const RowBlock& block, std::int64_t i, const ColumnTile& columns) const {
  TileTarget target;
  target.out = data_.out;
  target.row_offsets = block.out_rows.offsets + i * mr_;
  target.rows = std::min(mr_, block.out_rows.count - i * mr_);
  target.columns = &current_.out_columns;
  target.first_column = columns.first;
  target.column_count = columns.count;
  return target;
}

}  // namespace

GemmPlan::GemmPlan(const BinaryProblem& binary, const GemmKernel& chosen)
    : problem(binary),
      kernel(&chosen),
      blocking(choose_blocking(chosen)),
      load_a(Conversion::loading(binary.a, binary.accumulator)),
      load_b(Conversion::loading(binary.b, binary.accumulator)),
      store(binary, chosen) {
  for (int i = 0; i < chosen.functions.mr; ++i) tile_rows.push_back(std::int64_t{i} * chosen.functions.nr);
}

void run_gemm_region(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run) {
  RegionRunner(plan, data, region, run).run();
}

void finish_gemm_region(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const KernelScale& scale,
                        const RawTiles& sums) {
  const std::int64_t mr = plan.kernel->functions.mr;
  const std::int64_t nr = plan.kernel->functions.nr;
  std::vector<std::int64_t> row_offsets(to_size(region.m_end - region.m_begin));
  std::vector<std::int64_t> column_offsets(to_size(region.n_end - region.n_begin));
  const BlockIndex rows = make_block_index(plan.problem.m, &GroupAxis::out, region.m_begin, row_offsets);
  const BlockIndex columns = make_block_index(plan.problem.n, &GroupAxis::out, region.n_begin, column_offsets);
  for (std::int64_t i = 0; i < rows.count; i += mr) {
    for (std::int64_t j = 0; j < columns.count; j += nr) {
      std::byte* tile = sums.data + (i / mr * sums.columns + j / nr) * plan.store.tile_bytes();
      const TileTarget target{
          data.out, rows.offsets + i, std::min(mr, rows.count - i), &columns, j, std::min(nr, columns.count - j)};
      plan.store.finish(tile, target, scale, false);
    }
  }
}

}  // namespace trntensor::host
