#include "trntensor/host/parallel.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/interrupt.hpp"
#include "trntensor/support/loop_order.hpp"

namespace trntensor::host {

void check_stop(const std::stop_token& stop) {
  if (is_stopped(stop)) throw Error(ErrorKind::kCancelled, "the computation was cancelled");
}

void with_threads(int threads, FunctionRef<void()> work) {
  if (threads <= 1) {
    work();
    return;
  }
  // An arena of our own: while this thread waits for the workers it takes up no task of the caller's program.
  oneapi::tbb::task_arena arena(usable_threads(threads));
  arena.execute([&] { work(); });
}

void parallel_for(bool parallel, std::int64_t count, FunctionRef<void(std::int64_t)> body) {
  if (!parallel || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  const auto one = [&](std::int64_t i) {
    const loop_order::Body in_order;
    body(i);
  };
  const loop_order::Loop loop;
  oneapi::tbb::parallel_for(std::int64_t{0}, count, one, oneapi::tbb::simple_partitioner{});
}

}  // namespace trntensor::host
