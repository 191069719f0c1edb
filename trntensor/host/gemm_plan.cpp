#include "trntensor/host/gemm_plan.hpp"

#include <cstdlib>
#include <numeric>

#include "trntensor/host/streaming.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

/// Tiles of a row of the result up to which packing a panel of A costs more than it saves: measured for rows that are
/// contiguous, and for others, which come to L1 a line for each step.
constexpr std::int64_t kTilesInPlace = 24;
constexpr std::int64_t kTilesInPlaceByColumns = 2;

/// Tiles of a column of the result up to which packing B costs more than it saves, wherever its rows lie. More tiles
/// read it in place when it lies near, and its rows do not compete for one set of the first-level cache.
constexpr std::int64_t kRowTilesInPlace = 2;
constexpr std::int64_t kSharedSet = 4096;

/// A band of the result is kept in L1 until it is written, beside panels of A and B.
constexpr std::int64_t kBandBytes = std::int64_t{8} << 10;

/// Elements of a cache line of the result.
std::int64_t line_of(const GemmPlan& plan) { return 64 / static_cast<std::int64_t>(size_of(plan.kernel->dtype)); }

/// True when every axis of the result but those two moves by whole lines.
bool moves_by_lines(const GemmPlan& plan, const GroupAxis* first, const GroupAxis* second) {
  const BinaryProblem& problem = plan.problem;
  const std::int64_t line = line_of(plan);
  bool moves = true;
  for (const Group* group : {&problem.batch, &problem.m, &problem.n}) {
    for (const GroupAxis& axis : *group) {
      moves = moves && (&axis == first || &axis == second || axis.out % line == 0);
    }
  }
  return moves;
}

/// True when a tile writes whole lines: each of its rows does, or its rows lie one behind the other.
bool tiles_are_lines(const GemmPlan& plan) {
  const BinaryProblem& problem = plan.problem;
  const KernelFunctions& kernel = plan.kernel->functions;
  const GroupAxis& columns = problem.n.back();
  const std::int64_t line = line_of(plan);
  if (kernel.nr % line == 0 && columns.extent % line == 0) return moves_by_lines(plan, &columns, nullptr);
  if (problem.m.empty() || kernel.nr % columns.extent != 0 || columns.extent % (kernel.column_step / 2) != 0)
    return false;
  const GroupAxis& rows = problem.m.back();
  return rows.out == columns.extent && rows.extent % kernel.mr == 0 && kernel.mr * columns.extent % line == 0 &&
         moves_by_lines(plan, &columns, &rows);
}

/// True when the result is too large to stay in a cache, and the kernel writes it.
bool is_worth_streaming(const GemmPlan& plan) {
  const BinaryProblem& problem = plan.problem;
  if (!plan.store.out_holds_sums() || problem.n.empty() || problem.n.back().out != 1) return false;
  const std::int64_t elements = problem.batch_size * problem.m_size * problem.n_size;
  return is_worth_streaming_in_order(elements * static_cast<std::int64_t>(size_of(problem.out_dtype)));
}

/// True when rows are short and lie one behind the other, so that MR of them are one run.
bool rows_are_bands(const GemmPlan& plan) {
  const BinaryProblem& problem = plan.problem;
  if (problem.m.empty() || problem.n.size() != 1 || problem.m.back().out != problem.n_size) return false;
  return problem.n_size * plan.kernel->functions.mr * static_cast<std::int64_t>(size_of(plan.kernel->dtype)) <=
         kBandBytes;
}

/// To panels. Pairs are made of elements as they are stored.
Conversion loading_of(const InputType& input, DType accumulator, const GemmKernel& kernel) {
  if (kernel.terms == 1) return Conversion::loading(input, accumulator);
  TRNTENSOR_ASSERT(input.dtype == kernel.panel_dtype);
  return Conversion::through(input.dtype, input.dtype, input.dtype);
}

/// The functions that pack elements of an operand as they are stored; null where there are none.
PackBoth packing_of(const Conversion& load, DType stored, const KernelFunctions& functions) {
  if (load.is_identity()) return {functions.pack_a, functions.pack_b};
  if (load.is_one_step() && stored == DType::kBFloat16) return functions.pack_bfloat16;
  if (load.is_one_step() && stored == DType::kFloat16) return functions.pack_float16;
  return {};
}

}  // namespace

GemmPlan::GemmPlan(const BoxedPart& part, const GemmKernel& chosen)
    : problem(part.problem),
      row_box(part.rows),
      column_box(part.columns),
      units{std::lcm(part.rows.lanes(), std::int64_t{chosen.functions.mr}),
            part.columns.across > 1 ? part.columns.lanes() : chosen.functions.nr},
      kernel(&chosen),
      load_a(loading_of(problem.a, problem.accumulator, chosen)),
      load_b(loading_of(problem.b, problem.accumulator, chosen)),
      pack_a(packing_of(load_a, problem.a.dtype, chosen.functions).a),
      pack_b(packing_of(load_b, problem.b.dtype, chosen.functions).b),
      store(problem, chosen),
      stream_run(vector_table(chosen.instruction_set).stream_run) {
  for (int i = 0; i < chosen.functions.mr; ++i) tile_rows.push_back(std::int64_t{i} * chosen.functions.nr);
  for (std::size_t j = 0; j < tile_pieces.size(); ++j) {
    tile_pieces[j] = static_cast<std::int64_t>(j) * (chosen.functions.column_step / 2);
  }
  if (!is_worth_streaming(*this)) return;
  is_streamable = tiles_are_lines(*this);
  has_bands = rows_are_bands(*this);
  for (int i = 0; has_bands && i < chosen.functions.mr; ++i) band_rows.push_back(i * problem.n_size);
}

GemmPlan::GemmPlan(const BinaryProblem& whole, const GemmKernel& chosen) : GemmPlan(BoxedPart{whole, {}, {}}, chosen) {}

bool GemmPlan::reads_a_in_place(std::int64_t columns) const noexcept {
  const bool can_be = kernel->functions.takes_unpacked && load_a.is_identity() && row_box.across == 1;
  if (!can_be || problem.k.size() != 1 || problem.k_size == 0) return false;  // an empty A has no address
  const std::int64_t tiles = problem.k.back().a == 1 ? kTilesInPlace : kTilesInPlaceByColumns;
  return columns <= tiles * kernel->functions.nr;
}

bool GemmPlan::reads_b_in_place(std::int64_t rows) const noexcept {
  const bool can_be = kernel->functions.takes_unpacked && load_b.is_identity() && column_box.across == 1;
  if (!can_be || problem.k.size() != 1 || problem.k.back().b == 0 || problem.k_size == 0) return false;
  if (problem.n.empty() || problem.n.back().b != 1) return false;
  if (rows <= kRowTilesInPlace * kernel->functions.mr) return true;
  const std::int64_t step = std::abs(problem.k.back().b) * static_cast<std::int64_t>(size_of(kernel->dtype));
  return step % kSharedSet != 0 && step <= cpu_info().l2_bytes / 2 / problem.k_size;
}

void GemmPlan::take_own_tile(KernelArgs& args, std::int64_t columns) const noexcept {
  args.rows = tile_rows.data();
  args.row_count = kernel->functions.mr;
  args.pieces = tile_pieces.data();
  args.column_count = columns;
  args.is_streamed = false;
}

}  // namespace trntensor::host
