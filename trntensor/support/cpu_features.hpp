// Instruction sets that code asks for itself, without Highway.
#pragma once

namespace trntensor {

#ifdef __x86_64__
/// The part of AVX-512 that server CPUs have had from Skylake on.
inline bool has_avx512() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}
inline bool has_avx2() { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; }
/// With dot products of pairs of bfloat16.
inline bool has_avx512_bf16() { return has_avx512() && __builtin_cpu_supports("avx512bf16") != 0; }
#else
inline bool has_avx512() { return false; }
inline bool has_avx2() { return false; }
inline bool has_avx512_bf16() { return false; }
#endif

}  // namespace trntensor
