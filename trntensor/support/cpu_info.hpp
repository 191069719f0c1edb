// What the blocking of the CPU engine needs to know of the machine.
#pragma once

#include <cstdint>
#include <string>

namespace trntensor {

struct CpuInfo {
  std::string model;           ///< as the system names it
  int logical_cpus = 1;        ///< CPUs this process may run on
  std::int64_t l1d_bytes = 0;  ///< per core
  std::int64_t l2_bytes = 0;   ///< per core
  std::int64_t l3_bytes = 0;   ///< shared
};

/// Read once from the system; sizes that the system does not tell are 32 KiB, 512 KiB and 4 MiB.
const CpuInfo& cpu_info();

/// The threads that work can have at once: `asked`, but never more than the CPUs this process may run on; oneTBB would
/// complain about more on the program's standard error.
int usable_threads(int asked);

}  // namespace trntensor
