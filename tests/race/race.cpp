// A data race on purpose, in a loop as the library runs its own: the thread sanitizer has to see it, or its silence
// about the other tests would mean nothing.
#include <cstdint>
#include <cstdio>

#include "trntensor/host/parallel.hpp"

int main() {
  std::int64_t counter = 0;
  trntensor::host::with_threads(
      2, [&] { trntensor::host::parallel_for(true, 1 << 16, [&](std::int64_t i) { counter += i; }); });
  std::printf("%lld\n", static_cast<long long>(counter));
  return 0;
}
