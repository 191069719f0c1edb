// A mutex of the whole process that survives forks: no child finds it held by a thread that it does not have.
#pragma once

#include <mutex>

namespace trntensor {

/// For static variables. Every fork takes all of them first, so whoever holds one may not wait for another.
class ForkMutex {
 public:
  ForkMutex();
  ~ForkMutex();
  ForkMutex(const ForkMutex&) = delete;
  ForkMutex& operator=(const ForkMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace trntensor
