// Arithmetic on rows of values: the instructions of an epilogue.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "trntensor/epilogue/expression.hpp"

namespace trntensor::host {

/// Elements beyond the end of a row that the functions below may read and write, so that they work on whole vectors.
constexpr std::int64_t kRowSlack = 64;

/// Which operands of an instruction are rows; the others are single values.
enum class RowForm : std::uint8_t { kRowRow, kRowValue, kValueRow };

/// Functions on rows of `count` elements of T. Rows may have any alignment and may be read and written to count +
/// kRowSlack elements. An output may be an input, but not overlap one otherwise.
template <typename T>
struct RowKernels {
  using Unary = void (*)(const T* a, T* out, std::int64_t count);
  using Binary = void (*)(const T* a, const T* b, T* out, std::int64_t count);

  Unary negate = nullptr;
  Unary exp = nullptr;  ///< within 3 ulp, and to 0, infinity and NaN as std::exp
  Unary sqrt = nullptr;
  std::array<std::array<Binary, 3>, 6> binary{};  ///< [operation from kAdd on][form]

  /// In float64, in an order that depends on `count` and the vectors' length only.
  double (*sum)(const T* a, std::int64_t count) = nullptr;
  double (*sum_of_products)(const T* a, const T* b, std::int64_t count) = nullptr;
  double (*largest)(const T* a, std::int64_t count) = nullptr;  ///< -infinity for none, NaN if any is
  void (*add_to)(const T* a, double* sums, std::int64_t count) = nullptr;
  void (*raise_to)(const T* a, double* largest, std::int64_t count) = nullptr;

  /// out[r * out_stride + c] = from[c * from_stride + r], r < rows, c < count.
  template <typename From>
  using Transpose = void (*)(const From* from, std::int64_t from_stride, T* out, std::int64_t out_stride,
                             std::int64_t rows, std::int64_t count);
  Transpose<float> transpose_f32 = nullptr;
  Transpose<double> transpose_f64 = nullptr;

  [[nodiscard]] Binary find(ExpressionKind kind, RowForm form) const {
    const int operation = static_cast<int>(kind) - static_cast<int>(ExpressionKind::kAdd);
    return binary[static_cast<std::size_t>(operation)][static_cast<std::size_t>(form)];
  }
};

/// For a target of this build, see `chosen_target`.
template <typename T>
const RowKernels<T>& row_kernels(std::int64_t target);

}  // namespace trntensor::host
