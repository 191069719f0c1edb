#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace trntensor::cli {

Progress::Progress(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::jthread([this](std::stop_token stop) { show(std::move(stop)); });
}

Progress::~Progress() = default;

void Progress::show(std::stop_token stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  const auto wait = [&](std::chrono::milliseconds time) {
    ended.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
  };
  bool shown = false;
  for (bool going = wait(std::chrono::seconds(1)); going; going = wait(std::chrono::milliseconds(200))) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::int64_t total = total_;
    const std::string part = total > 0 ? fmt::format(", {} of {}", done_.load(), total) : "";
    std::fputs(fmt::format("\r{}: {:.0f} s{}\x1b[K", what_, seconds, part).c_str(), stderr);
    shown = true;
  }
  if (shown) std::fputs("\r\x1b[K", stderr);
}

}  // namespace trntensor::cli
