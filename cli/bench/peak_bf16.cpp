// The dot product of bfloat16 pairs, by intrinsics: the Highway of Debian 12 does not offer the instruction.
#include "cli/bench/peak_loops.hpp"
#include "trntensor/support/cpu_features.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace trntensor::cli::bench {

#ifdef __x86_64__
namespace {

__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) double run_bf16(std::int64_t steps, double& sink) {
  constexpr int kSums = 12;
  constexpr int kPairs = 16;
  constexpr int kOnes = 0x3f803f80;  // two bfloat16 ones
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (int i = 0; i < kSums; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const auto ones = reinterpret_cast<__m512bh>(_mm512_set1_epi32(kOnes));
  for (std::int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (int i = 0; i < kSums; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], ones, ones);
  }
  for (const __m512& sum : sums) sink += static_cast<double>(_mm512_cvtss_f32(sum));
  return 4.0 * kPairs * kSums * static_cast<double>(steps);
}

}  // namespace

PeakLoop dot_products_bf16() { return has_avx512_bf16() ? run_bf16 : nullptr; }
#else
PeakLoop dot_products_bf16() { return nullptr; }
#endif

}  // namespace trntensor::cli::bench
