#include "bench/peers/fma_peak.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peers/fma_peak.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace trntensor::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Enough independent sums for two units with a latency of 4 or 5 cycles, few enough for 16 registers.
constexpr int kSums = 12;

/// Returns the operations of `steps` steps; `sink` keeps the compiler from leaving them out.
template <typename T>
double multiply_adds(std::int64_t steps, double& sink) {
  const hn::ScalableTag<T> d;
  hn::Vec<decltype(d)> sums[kSums];
#pragma GCC unroll 16
  for (int i = 0; i < kSums; ++i) sums[i] = hn::Set(d, static_cast<T>(i));
  const auto factor = hn::Set(d, static_cast<T>(0.5));
  for (std::int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], factor, factor);
  }
  for (const auto& sum : sums) sink += static_cast<double>(hn::GetLane(sum));
  return 2.0 * kSums * static_cast<double>(hn::Lanes(d)) * static_cast<double>(steps);
}

double multiply_adds_f32(std::int64_t steps, double& sink) { return multiply_adds<float>(steps, sink); }
double multiply_adds_f64(std::int64_t steps, double& sink) { return multiply_adds<double>(steps, sink); }

}  // namespace trntensor::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::bench {
namespace {

HWY_EXPORT(multiply_adds_f32);
HWY_EXPORT(multiply_adds_f64);

template <typename Work>
double best_rate(const Work& work) {
  constexpr int kRuns = 25;
  constexpr std::int64_t kSteps = 200'000;
  double best = 0;
  volatile double keep = 0;
  for (int run = 0; run < kRuns; ++run) {
    double sink = 0;
    const auto begin = std::chrono::steady_clock::now();
    const double operations = work(kSteps, sink);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    keep = keep + sink;
    best = std::max(best, operations / seconds.count());
  }
  return best;
}

}  // namespace

double fma_peak_f32() {
  return best_rate(
      [](std::int64_t steps, double& sink) { return HWY_DYNAMIC_DISPATCH(multiply_adds_f32)(steps, sink); });
}

double fma_peak_f64() {
  return best_rate(
      [](std::int64_t steps, double& sink) { return HWY_DYNAMIC_DISPATCH(multiply_adds_f64)(steps, sink); });
}

}  // namespace trntensor::bench
#endif
