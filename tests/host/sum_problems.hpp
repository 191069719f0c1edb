// Steps for tests of long sums, and the error that is allowed.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/precision_choice.hpp"
#include "trntensor/plan/sum_lengths.hpp"

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
  const double vector_bytes = instruction_set.starts_with("avx3") || instruction_set.starts_with("avx512") ? 64
                              : is_sse                                                                     ? 16
                                                                                                           : 32;
  const double leaf = plan::leaf_roundings(sizeof(T), vector_bytes, !std::is_same_v<T, Real>);
  return (leaf + std::log2(static_cast<double>(k))) / 2 * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

/// What plans say of such a sum (Plan::error_bound), whatever the route: for moduli of complex numbers.
template <typename T>
double planned_bound(std::int64_t k) {
  const PrecisionChoice choice = select_precision_for_error(dtype_of<T>, k, 1);
  EXPECT_EQ(choice.precision, Precision::kFast);
  return choice.error_bound;
}

}  // namespace trntensor::testing
