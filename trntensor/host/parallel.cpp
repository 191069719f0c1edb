#include "trntensor/host/parallel.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <pthread.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/fork_mutex.hpp"
#include "trntensor/support/interrupt.hpp"
#include "trntensor/support/loop_order.hpp"

namespace trntensor::host {
namespace {

using Arena = oneapi::tbb::task_arena;

/// Arenas that nobody is in, by their number of threads. They are kept since oneTBB up to 2021.8 loses 7 KiB with each
/// that is destroyed. Never destroyed: threads may still compute while the process ends.
class IdleArenas {
 public:
  IdleArenas() { pthread_atfork(nullptr, nullptr, forget_parents); }

  std::unique_ptr<Arena> take(int threads) {
    {
      const std::lock_guard lock(mutex_);
      auto& idle = arenas_[threads];
      if (!idle.empty()) {
        std::unique_ptr<Arena> arena = std::move(idle.back());
        idle.pop_back();
        return arena;
      }
    }
    return std::make_unique<Arena>(threads);
  }

  void give_back(std::unique_ptr<Arena> arena, int threads) {
    const std::lock_guard lock(mutex_);
    arenas_[threads].push_back(std::move(arena));
  }

 private:
  /// In a child, which has none of the workers that may be on their way out of the arenas.
  static void forget_parents();

  ForkMutex mutex_;
  std::map<int, std::vector<std::unique_ptr<Arena>>> arenas_;
};

IdleArenas& idle_arenas = *new IdleArenas;  // made before anybody can fork

void IdleArenas::forget_parents() {
  for (auto& [threads, arenas] : idle_arenas.arenas_) {
    for (std::unique_ptr<Arena>& arena : arenas) (void)arena.release();
  }
  idle_arenas.arenas_.clear();
}

/// An arena that only this call is in.
class OwnArena {
 public:
  explicit OwnArena(int threads) : threads_(threads), arena_(idle_arenas.take(threads)) {}
  ~OwnArena() { idle_arenas.give_back(std::move(arena_), threads_); }
  OwnArena(const OwnArena&) = delete;
  OwnArena& operator=(const OwnArena&) = delete;

  Arena& operator*() const noexcept { return *arena_; }

 private:
  int threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace

void check_stop(const std::stop_token& stop) {
  if (is_stopped(stop)) throw Error(ErrorKind::kCancelled, "the computation was cancelled");
}

void with_threads(int threads, FunctionRef<void()> work) {
  if (threads <= 1) {
    work();
    return;
  }
  // An arena of our own: while this thread waits for the workers it takes up no task of the caller's program.
  const OwnArena arena(usable_threads(threads));
  (*arena).execute([&] { work(); });
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
