// The micro-kernel of bfloat16 pairs, by the CPU's dot product (VDPBF16PS). The Highway of Debian 12 does not offer the
// instruction: this one is an intrinsic, the rest is that of the float32 kernel.
#include <algorithm>
#include <cstdint>

#include "trntensor/host/kernels/table.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/gemm_bf16.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/pack_pair_boxes-inl.hpp"
#include "trntensor/host/kernels/real-inl.hpp"

#if HWY_TARGET == HWY_AVX3
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512bf16")
namespace trntensor::host::HWY_NAMESPACE {
namespace {

constexpr int kMR = 8;
constexpr int kVectors = 3;

/// As gemm_real, a step being two terms: sums, one pair of A and a step of B stay in registers. Each of the two
/// products is exact and added with one rounding; subnormal elements and sums count as zero, whatever the mode of the
/// CPU.
template <int kUsed>
void gemm_pairs(const KernelArgs& args) {
  const hn::ScalableTag<float> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kNR = kVectors * kLanes;
  const auto* HWY_RESTRICT a = static_cast<const std::int32_t*>(args.a);
  const auto* HWY_RESTRICT b = static_cast<const std::int32_t*>(args.b);
  hn::Vec<decltype(d)> acc[kMR][kUsed];
#pragma GCC unroll 16
  for (int i = 0; i < kMR; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < kUsed; ++j) acc[i][j] = hn::Zero(d);
  }
  const bool whole = rows_are_whole<decltype(d), kUsed>(d, args);
  std::int64_t steps = std::max<std::int64_t>(args.k - kStepsAhead, 0);
  for (std::int64_t left = args.k;;) {
    left -= steps;
    for (const std::int32_t* end = b + steps * kNR; b != end; b += kNR, a += kMR) {
      __m512i b_pairs[kUsed];
#pragma GCC unroll 4
      for (int j = 0; j < kUsed; ++j) {
        b_pairs[j] = _mm512_loadu_si512(b + j * kLanes);
        hwy::Prefetch(b + kBStepsAhead * kNR + j * kLanes);
      }
#pragma GCC unroll 16
      for (int i = 0; i < kMR; ++i) {
        const auto a_pair = reinterpret_cast<__m512bh>(_mm512_set1_epi32(load_one(a + i)));
#pragma GCC unroll 4
        for (int j = 0; j < kUsed; ++j) {
          acc[i][j].raw = _mm512_dpbf16_ps(acc[i][j].raw, a_pair, reinterpret_cast<__m512bh>(b_pairs[j]));
        }
      }
    }
    if (left == 0) break;
    steps = left;
    prefetch_tile<float, kMR, kUsed>(args, whole);
  }
  write_tile(d, args, acc, whole);
}

}  // namespace
}  // namespace trntensor::host::HWY_NAMESPACE
HWY_POP_ATTRIBUTES
#endif

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

KernelFunctions gemm_bf16() {
#if HWY_TARGET == HWY_AVX3
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<float>()));
  return {kMR,
          kVectors * kLanes,
          kLanes,
          false,
          true,
          {&gemm_pairs<1>, &gemm_pairs<2>, &gemm_pairs<3>},
          &pack_pairs<kMR>,
          &pack_pairs<kVectors * kLanes>,
          &pack_pair_boxes<kMR>,
          &pack_pair_boxes<kVectors * kLanes>};
#else
  return {};
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
TRNTENSOR_HOST_EXPORT_KERNEL(gemm_bf16)
#endif
