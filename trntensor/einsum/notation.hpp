// A contraction as it was written, before the shapes are known: the same for letters and for lists of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trntensor::notation {

/// Bytes [begin, end) of the text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A label, or the ellipsis, where it stands. The id of a letter is its code point, of a number the number itself, so
/// both sort as the implicit output needs them; the ellipsis is trntensor::kEllipsis.
struct Symbol {
  std::int64_t id = 0;
  Span span;
};

/// The symbols between two commas (or brackets), and the bytes they take up without blanks around them.
struct Term {
  std::vector<Symbol> symbols;
  Span span;
};

/// How labels are written.
enum class Style : std::uint8_t { kLetters, kNumbers };

struct Notation {
  Style style = Style::kLetters;
  std::string_view text;  ///< what the spans count in
  std::vector<Term> inputs;
  std::optional<Term> output;  ///< absent: implicit
};

/// "i" or "17".
std::string label_name(Style style, std::int64_t id);

/// A label as a message mentions it: "'i'" or "17".
std::string quoted_label(Style style, std::int64_t id);

/// Position of the ellipsis among the symbols of a term, if it has one.
std::optional<std::size_t> find_ellipsis(const Term& term) noexcept;

/// The symbol that stands for an axis of an operand of `rank` axes whose term has been checked to fit.
const Symbol& symbol_of_axis(const Term& term, std::size_t axis, std::size_t rank) noexcept;

}  // namespace trntensor::notation
