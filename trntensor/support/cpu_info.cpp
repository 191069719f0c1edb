#include "trntensor/support/cpu_info.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace trntensor {
namespace {

std::int64_t cache_bytes(int name, std::int64_t fallback) {
  const long size = sysconf(name);
  return size > 0 ? size : fallback;
}

std::string model_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

CpuInfo read_cpu_info() {
  CpuInfo info;
  info.model = model_name();
  info.logical_cpus = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) info.logical_cpus = CPU_COUNT(&set);
  info.l1d_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  info.l2_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10);
  info.l3_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 4 << 20);
  return info;
}

}  // namespace

const CpuInfo& cpu_info() {
  static const CpuInfo info = read_cpu_info();
  return info;
}

int usable_threads(int asked) { return std::min(asked, cpu_info().logical_cpus); }

}  // namespace trntensor
