#include "trntensor/host/region_plan.hpp"

#include <algorithm>
#include <numeric>

#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

/// Memory for sums that wait.
constexpr std::int64_t kWaitingBytes = std::int64_t{16} << 20;

GemmExtents extents_of(const GemmRegion& region) {
  return {region.m_end - region.m_begin, region.n_end - region.n_begin, region.k_end - region.k_begin};
}

/// Tiles that are kept lie in the same places for every part of the sum.
LaneUnits units_of_blocks(const GemmPlan& plan, bool keeps_tiles) {
  if (!keeps_tiles) return plan.units;
  return {plan.units.m, std::lcm(plan.units.n, std::int64_t{plan.kernel->functions.nr})};
}

std::int64_t columns_that_wait(const GemmPlan& plan, const Blocking& blocks) {
  const KernelFunctions& functions = plan.kernel->functions;
  const std::int64_t tile_columns = kWaitingBytes / (blocks.mc / functions.mr * plan.store.tile_bytes());
  return std::max<std::int64_t>(1, tile_columns * functions.nr / blocks.nc) * blocks.nc;
}

/// True for an A of short rows that comes from memory, where no hardware fetches beyond a page.
bool is_worth_fetching(const GemmPlan& plan, const GemmExtents& extents) {
  constexpr std::int64_t kFarOperand = 4;  // second-level caches
  constexpr std::int64_t kShortRow = 1024;
  const std::int64_t row = extents.k * static_cast<std::int64_t>(size_of(plan.kernel->dtype));
  return plan.problem.k.back().a == 1 && row <= kShortRow && extents.m * row >= kFarOperand * cpu_info().l2_bytes;
}

}  // namespace

RegionPlan::RegionPlan(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run) {
  const GemmExtents extents = extents_of(region);
  const bool is_one_block = extents.k <= choose_kc(*plan.kernel, extents.k);
  const bool keeps_all = run.sums.data != nullptr;
  sums_wait = !keeps_all && !plan.store.out_holds_sums() && !is_one_block;
  blocks = choose_blocking(*plan.kernel, extents, units_of_blocks(plan, sums_wait || keeps_all), run.threads);
  a_is_packed = run.packed.a != nullptr || !plan.reads_a_in_place(extents.n);
  // Tiles that are kept are computed whole, beyond the columns that there are.
  reads_b = run.packed.b == nullptr && !keeps_all && !sums_wait && plan.reads_b_in_place(extents.m);
  const bool is_written_once = is_one_block && !keeps_all && !run.scale->reads_out;
  is_streamed = plan.is_streamable && is_written_once && reinterpret_cast<std::uintptr_t>(data.out) % 64 == 0;
  has_bands = plan.has_bands && is_written_once && !is_streamed && blocks.nc >= plan.problem.n_size;
  fetches_a = !a_is_packed && is_worth_fetching(plan, extents);
  columns_of_pass = sums_wait ? std::min(extents.n, columns_that_wait(plan, blocks)) : extents.n;
}

}  // namespace trntensor::host
