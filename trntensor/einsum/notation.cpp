#include "trntensor/einsum/notation.hpp"

#include <fmt/format.h>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/einsum/utf8.hpp"

namespace trntensor::notation {

std::string label_name(Style style, std::int64_t id) {
  return style == Style::kLetters ? encode(static_cast<char32_t>(id)) : fmt::format("{}", id);
}

std::string quoted_label(Style style, std::int64_t id) {
  return style == Style::kLetters ? fmt::format("'{}'", label_name(style, id)) : label_name(style, id);
}

std::optional<std::size_t> find_ellipsis(const Term& term) noexcept {
  for (std::size_t i = 0; i < term.symbols.size(); ++i) {
    if (term.symbols[i].id == kEllipsis) return i;
  }
  return std::nullopt;
}

const Symbol& symbol_of_axis(const Term& term, std::size_t axis, std::size_t rank) noexcept {
  const std::size_t ellipsis = find_ellipsis(term).value_or(term.symbols.size());
  if (axis < ellipsis) return term.symbols[axis];
  const std::size_t axes_from_the_end = rank - axis;
  const std::size_t symbols_behind = term.symbols.size() - ellipsis - 1;
  if (axes_from_the_end > symbols_behind) return term.symbols[ellipsis];
  return term.symbols[term.symbols.size() - axes_from_the_end];
}

}  // namespace trntensor::notation
