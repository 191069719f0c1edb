// What a test executable takes from the heap. To be linked into it; counts everything from its start on.
#pragma once

#include <cstdint>

namespace trntensor::testing {

struct Taken {
  std::int64_t allocations = 0;
  std::int64_t bytes = 0;  ///< as asked for; what was given back is not taken off
};

/// By all threads: operator new and posix_memalign, which aligned memory comes from; where no sanitizer has its own,
/// malloc and kin as well.
Taken taken() noexcept;

/// Aligned memory is granted `count` times more and then refused once.
void refuse_aligned_after(std::int64_t count) noexcept;

/// Whether it was refused since.
bool was_refused() noexcept;

/// By one call.
template <typename Call>
Taken taken_by(const Call& call) {
  const Taken before = taken();
  call();
  const Taken after = taken();
  return {after.allocations - before.allocations, after.bytes - before.bytes};
}

}  // namespace trntensor::testing
