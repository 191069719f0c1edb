// A process may fork while its threads plan: the child plans too.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "trntensor/plan/plan_cache.hpp"
#include "trntensor/plan/thread_hits.hpp"

namespace trntensor {
namespace {

void use_cache(int key) {
  (void)plan::find_cached(std::to_string(key));
  (void)plan_cache_info();
}

/// What the child of a fork ends with: 0, or the signal of its alarm.
int status_of_child() {
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned kSeconds = 20;
    alarm(kSeconds);
    use_cache(0);
    clear_plan_cache();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(Fork, ChildUsesTheCacheWhileThreadsOfTheParentDo) {
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&is_over, t] {
      for (int k = 0; !is_over; ++k) use_cache(t + 4 * k);
    });
  }
  for (int n = 0; n < 100; ++n) ASSERT_EQ(status_of_child(), 0) << "fork " << n;
  is_over = true;
}

}  // namespace
}  // namespace trntensor
