// Steps for tests of long sums, and the error that is allowed.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trntensor/plan/executor.hpp"

namespace trntensor::testing {

/// An operand of C order.
inline OperandLayout packed(DType dtype, const std::vector<std::pair<Label, std::int64_t>>& axes) {
  OperandLayout layout{dtype, dtype, {}};
  std::int64_t stride = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    layout.axes.insert(layout.axes.begin(), Axis{axis->first, axis->second, stride});
    stride *= axis->second;
  }
  return layout;
}

inline StepProblem sum_problem(DType dtype, const OperandLayout& a, const OperandLayout& out) {
  return {a, std::nullopt, out, dtype, false};
}

/// The bound that NestEngine documents, relative to sum |a||b|.
template <typename T>
double stated_bound(const std::string& instruction_set, std::int64_t k) {
  using Real = decltype(std::abs(T{}));
  const bool is_sse = instruction_set == "sse4" || instruction_set == "ssse3";
  const double vector_bytes = instruction_set == "avx3" ? 64 : is_sse ? 16 : 32;
  const double leaf = 256.0 * sizeof(T) / vector_bytes + 36;
  return (leaf + std::log2(static_cast<double>(k)) / 2) * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

}  // namespace trntensor::testing
