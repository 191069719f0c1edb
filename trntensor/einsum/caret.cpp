// The two lines of a message that show where in the text the culprit stands.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "trntensor/einsum/diagnostics.hpp"

namespace trntensor::notation {
namespace {

constexpr int kColumnsBefore = 36;  // shown left of the culprit when the text is cut
constexpr int kColumnsAfter = 40;   // shown from its first character on
constexpr std::string_view kCut = "…";

struct Placed {
  Span span;
  Glyph glyph;
};

bool is_continuation(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The characters around the culprit: a character takes at most 4 bytes, and it may carry a few marks.
std::vector<Placed> characters_near(std::string_view text, std::size_t culprit) {
  constexpr std::size_t kBytesPerColumn = 8;
  constexpr std::size_t kReach = kBytesPerColumn * (kColumnsBefore + kColumnsAfter);
  std::size_t at = culprit > kReach ? culprit - kReach : 0;
  for (int skipped = 0; at > 0 && skipped < 3 && is_continuation(text[at]); ++skipped) ++at;
  const std::size_t end = text.size() - culprit > kReach ? culprit + kReach : text.size();
  std::vector<Placed> characters;
  while (at < end) {
    const Decoded character = decode_at(text, at);
    characters.push_back({{at, at + character.bytes}, glyph(character)});
    at += character.bytes;
  }
  return characters;
}

int total_columns(std::span<const Placed> characters) {
  int columns = 0;
  for (const Placed& character : characters) columns += character.glyph.columns;
  return columns;
}

// The characters to show: all that fit on a line, else those around number `culprit`.
std::span<const Placed> window(std::span<const Placed> characters, std::size_t culprit, std::size_t text_size) {
  const bool whole = characters.front().span.begin == 0 && characters.back().span.end == text_size;
  if (whole && total_columns(characters) <= kColumnsBefore + kColumnsAfter) return characters;
  std::size_t first = culprit;
  for (int columns = 0; first > 0; --first) {
    columns += characters[first - 1].glyph.columns;
    if (columns > kColumnsBefore) break;
  }
  std::size_t last = culprit;
  for (int columns = 0; last < characters.size(); ++last) {
    columns += characters[last].glyph.columns;
    if (columns > kColumnsAfter) break;
  }
  return characters.subspan(first, last - first);
}

std::string caret_line(int column, int columns) {
  return std::string(static_cast<std::size_t>(column), ' ') + "^" +
         std::string(static_cast<std::size_t>(std::max(columns - 1, 0)), '~');
}

}  // namespace

std::string point_at(std::string_view text, Span culprit) {
  if (text.empty()) return "  \"\" (empty)";
  const std::vector<Placed> characters = characters_near(text, culprit.begin);
  const auto found = std::ranges::find_if(characters, [&](const Placed& c) { return c.span.end > culprit.begin; });
  const std::span<const Placed> shown =
      window(characters, static_cast<std::size_t>(found - characters.begin()), text.size());
  std::string line;
  int column = 0;
  int columns = 0;
  if (shown.empty() || shown.front().span.begin > 0) {
    line = kCut;
    column = 1;
  }
  for (const Placed& character : shown) {
    line += character.glyph.text;
    if (character.span.end <= culprit.begin) column += character.glyph.columns;
    if (character.span.end > culprit.begin && character.span.begin < culprit.end) columns += character.glyph.columns;
  }
  if (!shown.empty() && shown.back().span.end < text.size()) line += kCut;
  // A mark is drawn over the character before it, so that is where its caret goes.
  const bool on_mark = found != characters.end() && found->glyph.columns == 0;
  if (on_mark && column > 0) --column;
  return fmt::format("  {}\n  {}", line, caret_line(column, columns));
}

}  // namespace trntensor::notation
