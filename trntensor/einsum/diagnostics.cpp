#include "trntensor/einsum/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"

namespace trntensor::notation {
namespace {

constexpr std::size_t kMaxNames = 20;
constexpr char32_t kNoBreakSpace = 0xA0;

std::string_view name_of_invisible(char32_t code) {
  switch (code) {
    case U'\t':
      return "tab";
    case U'\n':
      return "newline";
    case U'\r':
      return "carriage return";
    case kNoBreakSpace:
      return "no-break space";
    case 0xFEFF:
      return "byte order mark";
    default:
      return "not visible";
  }
}

}  // namespace

void throw_at(std::string_view text, Span culprit, const std::string& what, const std::string& fix) {
  throw_invalid(what, point_at(text, culprit), fix);
}

std::string describe(const Decoded& character) {
  const auto code = static_cast<std::uint32_t>(character.code);
  const Glyph shown = glyph(character);
  if (shown.text != encode(character.code) || character.code == kNoBreakSpace) {
    return fmt::format("U+{:04X} ({})", code, name_of_invisible(character.code));
  }
  if (is_mark(character.code)) return fmt::format("U+{:04X} (a mark on the character before it)", code);
  return fmt::format("'{}'", shown.text);
}

std::string join_names(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), kMaxNames);
  std::string joined = fmt::format("{}", fmt::join(names.first(shown), ", "));
  if (shown < names.size()) joined += fmt::format(", ... and {} more", names.size() - shown);
  return joined;
}

std::string counted(std::size_t count, std::string_view singular) {
  if (count == 1) return fmt::format("1 {}", singular);
  return singular == "axis" ? fmt::format("{} axes", count) : fmt::format("{} {}s", count, singular);
}

}  // namespace trntensor::notation
