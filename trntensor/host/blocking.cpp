#include "trntensor/host/blocking.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/plan/sum_lengths.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

/// A block size of at most `largest` (but one unit) that is a multiple of `unit`, cuts `size` into nearly equal
/// blocks, and makes their number a multiple of `workers` where `size` allows.
std::int64_t balanced_block(std::int64_t size, std::int64_t largest, std::int64_t unit, std::int64_t workers = 1) {
  const std::int64_t units = std::max<std::int64_t>(1, ceil_div(size, unit));
  std::int64_t blocks = ceil_div(units, std::max<std::int64_t>(1, largest / unit));
  blocks = std::min(units, ceil_div(blocks, workers) * workers);
  return ceil_div(units, blocks) * unit;
}

/// Of a lane in a panel, for each term of the sum.
std::int64_t term_bytes(const GemmKernel& kernel) { return static_cast<std::int64_t>(size_of(kernel.panel_dtype)); }

}  // namespace

std::int64_t largest_kc(const GemmKernel& kernel) {
  return std::clamp<std::int64_t>(cpu_info().l1d_bytes / 2 / (kernel.functions.mr * term_bytes(kernel)), plan::kLeastKc,
                                  plan::kMostKc);
}

std::int64_t choose_kc(const GemmKernel& kernel, std::int64_t k) {
  return balanced_block(k, largest_kc(kernel), kernel.terms);
}

std::int64_t lanes_near(const GemmKernel& kernel, std::int64_t k) {
  const std::int64_t kc = choose_kc(kernel, k);
  // A block of B, while panels of A and lines of the result pass by.
  return cpu_info().l2_bytes * 3 / 8 / (kc * term_bytes(kernel));
}

Blocking choose_blocking(const GemmKernel& kernel, const GemmExtents& extents, const LaneUnits& units,
                         std::int64_t workers) {
  const CpuInfo& cpu = cpu_info();
  Blocking blocking;
  blocking.kc = choose_kc(kernel, extents.k);
  const std::int64_t near = lanes_near(kernel, extents.k);
  blocking.nc = balanced_block(extents.n, near, units.n, workers);
  // The last-level cache is shared with other cores, and on virtual machines with strangers: a quarter, 8 MiB at most.
  const std::int64_t far =
      std::min<std::int64_t>(cpu.l3_bytes / 4, std::int64_t{8} << 20) / (blocking.kc * term_bytes(kernel));
  // A block of A that no second block of B comes to use is better kept near.
  const std::int64_t room = blocking.nc >= extents.n ? near : std::max(near, far);
  blocking.mc = balanced_block(extents.m, room, units.m);
  // Blocks of the sum that fit are packed together: then a block of columns is finished before the next one begins.
  const std::int64_t blocks = std::max<std::int64_t>(1, ceil_div(extents.k, blocking.kc));
  blocking.packed_steps = std::clamp<std::int64_t>(room / blocking.mc, 1, blocks) * blocking.kc;
  return blocking;
}

}  // namespace trntensor::host
