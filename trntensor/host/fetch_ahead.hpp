// Panels that kernels bring near while they use those before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trntensor/host/kernels/kernel.hpp"

namespace trntensor::host {

/// A run of memory, handed to one kernel call after another as KernelArgs::ahead.
class FetchAhead {
 public:
  FetchAhead() = default;
  FetchAhead(const std::byte* from, std::int64_t bytes) : at_(from), left_(bytes) {}

  [[nodiscard]] bool is_done() const noexcept { return left_ <= 0; }

  /// What a call of so many steps fetches; null when all is fetched.
  const std::byte* take(std::int64_t steps) noexcept {
    if (is_done()) return nullptr;
    const std::byte* part = at_;
    at_ += steps * kAheadStep;
    left_ -= steps * kAheadStep;
    return part;
  }

 private:
  const std::byte* at_ = nullptr;
  std::int64_t left_ = 0;
};

}  // namespace trntensor::host
