// Do the terms fit the operands in number and length?
#include <fmt/format.h>

#include <algorithm>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/resolve.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::notation {
namespace {

void check_term_count(const Notation& notation, std::size_t operands) {
  if (operands == 0) {
    throw_invalid("a contraction of no operands", point_at(notation.text, {0, notation.text.size()}),
                  "give at least one operand");
  }
  const std::size_t terms = notation.inputs.size();
  if (terms == operands) return;
  const std::string what = fmt::format("the subscripts have {} but there {}", counted(terms, "operand term"),
                                       operands == 1 ? "is 1 operand" : fmt::format("are {} operands", operands));
  if (terms > operands) {
    throw_at(notation.text, notation.inputs[operands].span, what, "give one operand per term, or remove the term");
  }
  const std::size_t end = notation.inputs.back().span.end;
  throw_at(notation.text, {end, end}, what, "write one term per operand, separated by ,");
}

void check_extents(const Notation& notation, std::size_t operand, const Shape& shape) {
  const auto negative = std::ranges::find_if(shape, [](std::int64_t extent) { return extent < 0; });
  if (negative == shape.end()) return;
  throw_at(notation.text, notation.inputs[operand].span,
           fmt::format("operand {} has the negative extent {} on axis {} (shape {})", operand, *negative,
                       negative - shape.begin(), format_shape(shape)),
           "extents are 0 or more");
}

// Number of axes the ellipsis of an operand stands for, 0 without one.
std::size_t ellipsis_rank(const Notation& notation, std::size_t operand, const Shape& shape) {
  const Term& term = notation.inputs[operand];
  const bool has_ellipsis = find_ellipsis(term).has_value();
  const std::size_t named = term.symbols.size() - (has_ellipsis ? 1 : 0);
  if (has_ellipsis ? shape.size() >= named : shape.size() == named) return shape.size() - named;
  const std::string_view written = notation.text.substr(term.span.begin, term.span.end - term.span.begin);
  constexpr std::size_t kLongestTerm = 80;
  const std::string shown = !written.empty() && written.size() <= kLongestTerm ? fmt::format(" '{}'", written) : "";
  throw_at(notation.text, term.span,
           fmt::format("operand {} has {} (shape {}) but its term{} has {}{}", operand, counted(shape.size(), "axis"),
                       format_shape(shape), shown, has_ellipsis ? "at least " : "", counted(named, "label")),
           has_ellipsis ? "remove labels, or pass an operand with more axes"
                        : "write one label per axis, or ... for the axes that are not named");
}

}  // namespace

std::size_t check_ranks(const Notation& notation, std::span<const Shape> shapes) {
  check_term_count(notation, shapes.size());
  std::size_t longest = 0;
  for (std::size_t operand = 0; operand < shapes.size(); ++operand) {
    check_extents(notation, operand, shapes[operand]);
    longest = std::max(longest, ellipsis_rank(notation, operand, shapes[operand]));
  }
  return longest;
}

}  // namespace trntensor::notation
