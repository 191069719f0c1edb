#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {

std::span<const Suite> suites() {
  constexpr DType kF64 = DType::kFloat64;
  constexpr DType kF32 = DType::kFloat32;
  constexpr DType kBf16 = DType::kBFloat16;
  static const std::vector<Suite> table = {
      {"peak", "what the multiply-add units can do", {kF64, kF32, kBf16}},
      {"stream", "how fast each level of the memory is", {kF64, kF32, kBf16}},
      {"gemm", "matrix products, square and skinny, plain and transposed", {kF64, kF32, kBf16}, {}, "N", gemm_cases},
      {"small", "products of a few elements, where the call counts", {kF64, kF32}, {kBf16}, "N", small_cases},
      {"tccg", "48 contractions of chemistry and others (TCCG)", {kF64, kF32}, {kBf16}, "", tccg_cases},
      {"mp2", "the DF-MP2 energy, counting each pair of orbitals once", {kF64}, {kF32}, "OCCxVIRxAUX", mp2_cases},
      {"ao2mo", "integrals to molecular orbitals", {kF64}, {kF32}, "AOxOCCxVIRxAUX", ao2mo_cases},
      {"precision", "what more digits cost, and what they give", {kF64, kF32}, {}, "N", precision_cases},
  };
  return table;
}

}  // namespace trntensor::cli::bench
