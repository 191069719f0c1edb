#include "cli/bench/peak.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

#include "cli/bench/peak_loops.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr int kRuns = 60;
constexpr std::int64_t kSteps = 150'000;  // below a millisecond: the best run has no interruption in it

struct Loop {
  PeakLoop run;
  std::string instructions;
};

Loop loop_of(DType dtype) {
  const std::string multiply_add = fmt::format("multiply-add, {}", multiply_add_vectors());
  if (dtype == DType::kFloat64) return {multiply_adds_f64, multiply_add};
  if (dtype == DType::kFloat32) return {multiply_adds_f32, multiply_add};
  if (dtype != DType::kBFloat16) {
    throw_unsupported(fmt::format("there is no peak of {}", to_string(dtype)), {}, "use float64, float32 or bfloat16");
  }
  if (const PeakLoop dot = dot_products_bf16()) return {dot, "dot product of bfloat16, AVX-512"};
  return {multiply_adds_f32, multiply_add};
}

}  // namespace

Peak measure_peak(DType dtype, int threads) {
  using Clock = std::chrono::steady_clock;
  const Loop loop = loop_of(dtype);
  double best = 0;
  double operations = 0;
  Clock::time_point begin;
  // Runs once each time all threads have arrived: at the odd times they begin, at the even ones they have ended.
  const auto at_barrier = [&, arrivals = 0]() mutable noexcept {
    if (++arrivals % 2 == 1) {
      begin = Clock::now();
    } else {
      best = std::max(best, operations * threads / std::chrono::duration<double>(Clock::now() - begin).count());
    }
  };
  std::barrier barrier(threads, at_barrier);
  std::atomic<double> keep = 0;
  const auto work = [&](bool first) {
    for (int run = 0; run < kRuns; ++run) {
      double sink = 0;
      barrier.arrive_and_wait();
      const double count = loop.run(kSteps, sink);
      if (first) operations = count;
      barrier.arrive_and_wait();
      keep = sink;
    }
  };
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, false);
  work(true);
  return {best * 1e-9, loop.instructions};
}

}  // namespace trntensor::cli::bench
