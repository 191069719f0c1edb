// How far long work is, on stderr.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace trntensor::cli {

/// While it lives, and from one second on, a line on stderr says what is being done, for how long, and how far it
/// is. Silent when stderr is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// May be called from any thread.
  void update(std::int64_t done, std::int64_t total) noexcept {
    total_ = total;
    done_ = done;
  }

 private:
  void show(std::stop_token stop);

  std::string what_;
  std::atomic<std::int64_t> done_ = 0;
  std::atomic<std::int64_t> total_ = 0;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace trntensor::cli
