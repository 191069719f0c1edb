#include "trntensor/support/fork_mutex.hpp"

#include <pthread.h>

#include <ranges>
#include <vector>

namespace trntensor {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<ForkMutex*> members;
};

Registry& registry();

void before_fork() {
  registry().mutex.lock();
  for (ForkMutex* const member : registry().members) member->lock();
}

void after_fork() {
  for (ForkMutex* const member : registry().members | std::views::reverse) member->unlock();
  registry().mutex.unlock();
}

// Never destroyed: a process may fork while its static variables are destroyed.
Registry& registry() {
  static Registry& of_process = *new Registry;
  [[maybe_unused]] static const int status = pthread_atfork(before_fork, after_fork, after_fork);
  return of_process;
}

}  // namespace

ForkMutex::ForkMutex() {
  const std::lock_guard lock(registry().mutex);
  registry().members.push_back(this);
}

ForkMutex::~ForkMutex() {
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().members, this);
}

}  // namespace trntensor
