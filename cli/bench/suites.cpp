#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {

std::span<const Suite> suites() {
  static const std::vector<Suite> table = {
      {"peak", "what the multiply-add units can do", false, nullptr},
      {"stream", "how fast each level of the memory is", false, nullptr},
      {"gemm", "matrix products, square and skinny, plain and transposed", true, gemm_cases},
      {"small", "products of a few elements, where the call counts", true, small_cases},
      {"tccg", "the 48 contractions of the Tensor Contraction Code Generator benchmark", false, tccg_cases},
  };
  return table;
}

}  // namespace trntensor::cli::bench
