// Counts of hits, one for each thread, so that counting makes no thread wait for another.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace trntensor::plan {

/// The count of one thread; only that thread may add to it. Its count is kept when it ends.
class ThreadHits {
 public:
  ThreadHits();
  ~ThreadHits();
  ThreadHits(const ThreadHits&) = delete;
  ThreadHits& operator=(const ThreadHits&) = delete;

  void add() noexcept { count_.store(count() + 1, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> count_ = 0;
};

/// The sum over all threads, also those that have ended, since the last `forget_hits`.
std::int64_t hits_of_all_threads();

/// Counts from 0 again.
void forget_hits();

/// Held where threads begin and end, and when all are counted; to be held around a fork.
std::mutex& hits_mutex();

}  // namespace trntensor::plan
