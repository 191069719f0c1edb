#include "cli/bench/peak_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cli/bench/peak_loops.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace trntensor::cli::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Enough independent sums for two units with a latency of 4 or 5 cycles, few enough for 16 registers.
constexpr int kSums = 12;

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

double run_f32(std::int64_t steps, double& sink) { return multiply_adds<float>(steps, sink); }
double run_f64(std::int64_t steps, double& sink) { return multiply_adds<double>(steps, sink); }
const char* vectors() { return hwy::TargetName(HWY_TARGET); }

}  // namespace trntensor::cli::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::cli::bench {
namespace {

HWY_EXPORT(run_f32);
HWY_EXPORT(run_f64);
HWY_EXPORT(vectors);

}  // namespace

double multiply_adds_f32(std::int64_t steps, double& sink) { return HWY_DYNAMIC_DISPATCH(run_f32)(steps, sink); }
double multiply_adds_f64(std::int64_t steps, double& sink) { return HWY_DYNAMIC_DISPATCH(run_f64)(steps, sink); }
std::string multiply_add_vectors() { return HWY_DYNAMIC_DISPATCH(vectors)(); }

}  // namespace trntensor::cli::bench
#endif
