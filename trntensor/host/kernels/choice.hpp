// Whether steps that were prepared before would be prepared with the same kernels now.
#pragma once

#include <cstdint>

namespace trntensor::host {

/// Another number after each call of set_host_kernel.
std::uint64_t kernel_choice() noexcept;

}  // namespace trntensor::host
