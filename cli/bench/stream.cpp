#include "cli/bench/stream.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <thread>

#include "cli/bench/measure.hpp"
#include "cli/bench/stream_loops.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::cli::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::int64_t kArrays = 3;
constexpr std::int64_t kMultiple = 64;  // elements; what the loops ask for

/// One thread's arrays.
class ThreadArrays {
 public:
  explicit ThreadArrays(std::int64_t bytes)
      : count_(std::max(bytes / kArrays / static_cast<std::int64_t>(sizeof(double)) / kMultiple, std::int64_t{1}) *
               kMultiple),
        memory_(allocate_aligned(static_cast<std::size_t>(kArrays * count_) * sizeof(double))) {
    auto* const values = reinterpret_cast<double*>(memory_.get());
    std::fill(values, values + kArrays * count_, 1.0);
  }

  [[nodiscard]] StreamArrays arrays(std::int64_t repetitions) const {
    auto* const a = reinterpret_cast<double*>(memory_.get());
    return {a, a + count_, a + 2 * count_, count_, repetitions};
  }
  /// All three as one, to be read.
  [[nodiscard]] StreamArrays joined(std::int64_t repetitions) const {
    auto* const a = reinterpret_cast<double*>(memory_.get());
    return {nullptr, a, nullptr, kArrays * count_, repetitions};
  }
  [[nodiscard]] double array_bytes() const { return static_cast<double>(count_) * sizeof(double); }

 private:
  std::int64_t count_;
  AlignedBuffer memory_;
};

struct Loop {
  double (*run)(const StreamArrays&);
  int arrays;  ///< read or written
};

void on_each(std::span<const ThreadArrays> sets, const Loop& loop, std::int64_t repetitions) {
  const auto run = [&](std::size_t thread) {
    return loop.run(loop.run == stream_read ? sets[thread].joined(repetitions) : sets[thread].arrays(repetitions));
  };
  std::vector<std::jthread> others;
  volatile double keep = 0;
  for (std::size_t thread = 1; thread < sets.size(); ++thread) {
    others.emplace_back([&run, thread] { run(thread); });
  }
  keep = run(0);
  static_cast<void>(keep);
}

/// Bytes per second of all threads, the best of the runs that fit the time, one at least.
double best_rate(std::span<const ThreadArrays> sets, const Loop& loop, double seconds) {
  // Long enough that starting the threads does not show.
  constexpr double kRun = 10e-3;
  const double bytes_a_repetition = sets.front().array_bytes() * static_cast<double>(sets.size()) * loop.arrays;
  std::int64_t repetitions = 1;
  while (seconds_of([&] { on_each(sets, loop, repetitions); }) < kRun) repetitions *= 2;
  double best = 0;
  const Clock::time_point begin = Clock::now();
  for (int run = 0; run == 0 || std::chrono::duration<double>(Clock::now() - begin).count() < seconds; ++run) {
    const double time = seconds_of([&] { on_each(sets, loop, repetitions); });
    best = std::max(best, bytes_a_repetition * static_cast<double>(repetitions) / time);
  }
  return best;
}

StreamLevel measure_level(StreamLevel level, double seconds, const std::stop_token& stop) {
  host::check_stop(stop);
  std::vector<ThreadArrays> sets;
  for (int thread = 0; thread < level.threads; ++thread) sets.emplace_back(level.bytes);
  level.read = best_rate(sets, {stream_read, 3}, seconds) * 1e-9;
  level.copy = best_rate(sets, {stream_copy, 2}, seconds) * 1e-9;
  host::check_stop(stop);
  level.triad = best_rate(sets, {stream_triad, 3}, seconds) * 1e-9;
  level.past_caches = best_rate(sets, {stream_past_caches, 2}, seconds) * 1e-9;
  return level;
}

StreamLevel memory_level(int threads) {
  constexpr std::int64_t kAtLeast = std::int64_t{512} << 20;
  constexpr std::int64_t kAtMost = std::int64_t{1536} << 20;
  const std::int64_t bytes = std::clamp(3 * cpu_info().l3_bytes, kAtLeast, kAtMost);
  StreamLevel level;
  level.name = "memory";
  level.threads = threads;
  level.bytes = bytes / threads;
  return level;
}

}  // namespace

double StreamLevel::best() const { return std::max({read, copy, triad, past_caches}); }

std::vector<StreamLevel> measure_stream(int threads, double seconds, const std::stop_token& stop) {
  const CpuInfo& cpu = cpu_info();
  std::vector<StreamLevel> levels;
  const auto add = [&](const char* name, std::int64_t bytes) {
    StreamLevel level;
    level.name = name;
    level.threads = threads;
    level.bytes = bytes;
    levels.push_back(measure_level(level, seconds, stop));
  };
  add("L1", cpu.l1d_bytes / 2);
  add("L2", cpu.l2_bytes / 2);
  add("L3", std::max(cpu.l3_bytes / 2 / threads, cpu.l2_bytes));
  levels.push_back(measure_memory(threads, seconds, stop));
  return levels;
}

StreamLevel measure_memory(int threads, double seconds, const std::stop_token& stop) {
  return measure_level(memory_level(threads), seconds, stop);
}

}  // namespace trntensor::cli::bench
