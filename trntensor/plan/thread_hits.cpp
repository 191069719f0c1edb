#include "trntensor/plan/thread_hits.hpp"

#include <mutex>
#include <vector>

namespace trntensor::plan {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<const ThreadHits*> threads;
  std::int64_t ended = 0;      // hits of threads that are no more
  std::int64_t forgotten = 0;  // hits up to the last `forget_hits`

  std::int64_t total() const {
    std::int64_t sum = ended;
    for (const ThreadHits* thread : threads) sum += thread->count();
    return sum;
  }
};

// Never destroyed: threads may end after the destructors of static objects have run.
Registry& registry() {
  static Registry& of_process = *new Registry;
  return of_process;
}

}  // namespace

ThreadHits::ThreadHits() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.threads.push_back(this);
}

ThreadHits::~ThreadHits() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::erase(all.threads, this);
  all.ended += count();
}

std::int64_t hits_of_all_threads() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return all.total() - all.forgotten;
}

std::mutex& hits_mutex() { return registry().mutex; }

void forget_hits() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.forgotten = all.total();
}

}  // namespace trntensor::plan
