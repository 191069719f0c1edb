#include "trntensor/host/kernels/bf16_rate.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "trntensor/support/cpu_features.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace trntensor::host {

#ifdef __x86_64__
namespace {

constexpr double kWorthwhile = 1.25;
constexpr int kSums = 12;  // more than the latency of an instruction times those that begin in a cycle
constexpr int kSteps = 400;
constexpr int kRuns = 16;  // the first ones wait until the CPU has powered its wide units

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) float add_dots() {
  const auto pairs = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3f803f80));  // two ones
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (int i = 0; i < kSums; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kSums; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], pairs, pairs);
  }
#pragma GCC unroll 16
  for (int i = 1; i < kSums; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
  return _mm512_cvtss_f32(sums[0]);
}

__attribute__((target("avx512f"))) float add_products() {
  const __m512 factor = _mm512_set1_ps(1.0001F);
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (int i = 0; i < kSums; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kSums; ++i) sums[i] = _mm512_fmadd_ps(factor, factor, sums[i]);
  }
#pragma GCC unroll 16
  for (int i = 1; i < kSums; ++i) sums[0] = _mm512_add_ps(sums[0], sums[i]);
  return _mm512_cvtss_f32(sums[0]);
}

double seconds_of(float (*work)()) {
  const auto start = std::chrono::steady_clock::now();
  volatile float sink = work();
  static_cast<void>(sink);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool measure() {
  if (!has_avx512_bf16()) return false;
  double dots = std::numeric_limits<double>::infinity();
  double products = dots;
  for (int run = 0; run < kRuns; ++run) {
    dots = std::min(dots, seconds_of(&add_dots));
    products = std::min(products, seconds_of(&add_products));
  }
  return 2 * products >= kWorthwhile * dots;  // a pair is two products
}

}  // namespace

bool bf16_dot_products_pay() {
  static const bool pays = measure();
  return pays;
}
#else
bool bf16_dot_products_pay() { return false; }
#endif

}  // namespace trntensor::host
