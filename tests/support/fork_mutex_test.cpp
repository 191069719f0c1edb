// A process may fork while its threads hold a lock: the child takes it too.
#include "trntensor/support/fork_mutex.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace trntensor {
namespace {

/// What the child of a fork ends with: 0, or the signal of its alarm.
int status_of_child(ForkMutex& mutex) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned kSeconds = 20;
    alarm(kSeconds);
    mutex.lock();
    mutex.unlock();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(ForkMutex, ChildTakesItWhileThreadsOfTheParentDo) {
  static ForkMutex first;
  static ForkMutex second;
  std::atomic<bool> is_over = false;
  std::jthread thread([&is_over] {
    while (!is_over) {
      const std::lock_guard lock(second);
      std::this_thread::yield();
    }
  });
  for (int n = 0; n < 100; ++n) {
    ASSERT_EQ(status_of_child(first), 0) << "fork " << n;
    ASSERT_EQ(status_of_child(second), 0) << "fork " << n;
  }
  is_over = true;
}

TEST(ForkMutex, IsForgottenWhenItEnds) {
  {
    const ForkMutex brief;
  }
  ForkMutex mutex;
  EXPECT_EQ(status_of_child(mutex), 0);
}

}  // namespace
}  // namespace trntensor
