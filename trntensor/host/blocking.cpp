#include "trntensor/host/blocking.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

std::int64_t round_down(std::int64_t value, std::int64_t unit) { return std::max(unit, value / unit * unit); }

}  // namespace

Blocking choose_blocking(const GemmKernel& kernel) {
  const CpuInfo& cpu = cpu_info();
  const auto element = static_cast<std::int64_t>(size_of(kernel.dtype));
  const std::int64_t mr = kernel.functions.mr;
  const std::int64_t nr = kernel.functions.nr;
  Blocking blocking;
  // Measured: a panel of B may be half as large again as L1, since it streams in from L2 faster than it is used, and
  // a longer k saves passes over the result.
  blocking.kc = std::clamp<std::int64_t>(cpu.l1d_bytes * 3 / 2 / (nr * element), 128, 512);
  blocking.mc = round_down(cpu.l2_bytes / 2 / (blocking.kc * element), mr);
  // The last-level cache is shared with other cores, and on virtual machines with strangers: a quarter, 8 MiB at most.
  const std::int64_t shared = std::min<std::int64_t>(cpu.l3_bytes / 4, std::int64_t{8} << 20);
  blocking.nc = round_down(shared / (blocking.kc * element), nr);
  return blocking;
}

std::int64_t balanced_block(std::int64_t size, std::int64_t largest, std::int64_t unit, std::int64_t workers) {
  const std::int64_t units = std::max<std::int64_t>(1, ceil_div(size, unit));
  std::int64_t blocks = std::max<std::int64_t>(1, ceil_div(size, largest));
  blocks = std::min(units, ceil_div(blocks, workers) * workers);
  return ceil_div(units, blocks) * unit;
}

}  // namespace trntensor::host
