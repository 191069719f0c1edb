// Expressions that have met a contraction: labels are those of its Spec, tensors are numbered, equal parts are one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/epilogue/expression.hpp"

namespace trntensor::epilogue {

/// A node of a Formula. Operands are positions of earlier nodes, -1 where there is none.
struct FormulaNode {
  ExpressionKind kind = ExpressionKind::kConstant;
  double value = 0;  ///< kConstant
  int tensor = -1;   ///< kTensor: its number
  /// kElement: the label that stands at each axis of the result; kTensor: of each of its axes; kSumOver, kMaxOver: the
  /// labels that are gone, in the order of the result.
  Labels own = {};
  int a = -1;
  int b = -1;
  Labels labels = {};  ///< the value depends on these, in the order of the result

  friend bool operator==(const FormulaNode&, const FormulaNode&) = default;
};

[[nodiscard]] constexpr bool is_reduction(ExpressionKind kind) noexcept {
  return kind == ExpressionKind::kSumOver || kind == ExpressionKind::kMaxOver;
}

/// Several expressions over one contraction. No two nodes are equal, so what expressions share is there once.
struct Formula {
  Labels element;  ///< labels of the contraction's result
  std::vector<FormulaNode> nodes;
  std::vector<int> roots;  ///< one per expression

  friend bool operator==(const Formula&, const Formula&) = default;
};

/// A name that expressions may use, and the shape behind it.
struct TensorName {
  std::string name;
  Shape shape;
};

/// The letters of a list of labels, blanks left out, an accent joined with its letter as in the subscripts.
std::vector<std::string> letters_of(std::string_view text);

/// Gives the labels and names of `expressions` their meaning. Axes of a tensor have the extent of their label or 1.
/// Throws InvalidArgument, quoting the expression, for: a letter that is no label of the result, or is there twice; a
/// name that is not in `tensors`, or there twice; a wrong number of labels; an extent that does not fit; labels of
/// different extents that change places; a reduction over no label or over one its argument does not depend on.
Formula bind(std::span<const Expression> expressions, const Spec& spec, std::span<const TensorName> tensors);

}  // namespace trntensor::epilogue
