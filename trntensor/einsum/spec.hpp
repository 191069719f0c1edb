// What an einsum means once the notation meets the shapes: labels, extents, which axes broadcast.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/tensor/layout.hpp"

namespace trntensor {

/// Index of a label in a Spec, dense from 0.
using Label = std::int32_t;
using Labels = std::vector<Label>;

inline bool contains(const Labels& labels, Label label) noexcept {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// Those of `order` that are in `some`, in that order.
inline Labels in_order(const Labels& some, const Labels& order) {
  Labels ordered;
  for (const Label label : order) {
    if (contains(some, label)) ordered.push_back(label);
  }
  return ordered;
}

/// The meaning of one contraction: out[output] = sum over the other labels of the product of the operands.
/// A value: two equal Specs mean the same computation whatever text they came from.
struct Spec {
  std::vector<std::string> names;     ///< per label, for people: "i", "é", "17" (interleaved), "...0" (ellipsis axis)
  std::vector<std::int64_t> extents;  ///< per label, after broadcasting
  std::vector<Labels> axes;           ///< per operand: the label of each axis as written (ellipsis expanded)
  std::vector<std::vector<bool>> broadcast;  ///< per operand and axis: extent 1 against a label of another extent
  std::vector<Labels> inputs;                ///< per operand: the distinct labels it depends on, in order of first use;
                                             ///< a repeated label (diagonal) is here once, a broadcast axis not at all
  Labels output;                             ///< distinct labels of the result, in order

  [[nodiscard]] Shape output_shape() const;

  /// The shape of an operand as it was written: 1 where an axis broadcasts.
  [[nodiscard]] Shape operand_shape(std::size_t operand) const;

  /// The contraction as text that parses back to this Spec for these shapes ("ij,jk->ik"); labels that have no
  /// letter of their own (ellipsis axes, numbers) are given free letters. More labels than letters never happens:
  /// Unicode has over 100 000.
  [[nodiscard]] std::string to_string() const;

  friend bool operator==(const Spec& a, const Spec& b) {
    return a.extents == b.extents && a.axes == b.axes && a.broadcast == b.broadcast && a.output == b.output;
  }
};

/// Parses einsum notation against the operands' shapes.
///
/// Letters are any Unicode letters, blanks between symbols are ignored, `...` stands for leading axes broadcast as
/// NumPy does, right-aligned; without `->` the output is `...` and the labels seen exactly once, sorted by code point;
/// an ellipsis missing from an explicit output is summed. A label repeated in one operand takes the diagonal. An
/// extent of 1 broadcasts between operands, never within one.
///
/// Throws InvalidArgument with a caret under the culprit: a character that is no letter, a stray `.`, `-` or `>`,
/// a second arrow, two ellipses in a term, a repeated or unknown output label, a term count or length that does not
/// match the operands, one label with two extents (named with both operands), a result of more than 2^63 elements.
Spec parse_spec(std::string_view subscripts, std::span<const Shape> shapes);

/// The label list entry that stands for an ellipsis in the interleaved form.
inline constexpr std::int64_t kEllipsis = INT64_MIN;

/// The interleaved form: one list of labels (any int64, or kEllipsis) per operand, and the output's or none for the
/// implicit output, sorted numerically. Throws as parse_spec, naming operand and position.
Spec make_spec(std::span<const std::vector<std::int64_t>> inputs,
               const std::optional<std::vector<std::int64_t>>& output, std::span<const Shape> shapes);

/// Shapes of the operands of `subscripts` from one extent per label, as a planner without tensors needs them.
/// Throws InvalidArgument for a label without a size, a size without a label (nearest names offered), a negative
/// size, or an ellipsis (which has no size).
std::vector<Shape> shapes_from_sizes(std::string_view subscripts, const std::map<std::string, std::int64_t>& sizes);

}  // namespace trntensor
