#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trntensor::cli {
std::string without_controls(std::string_view text) {
  constexpr unsigned char kDelete = 0x7f;
  constexpr unsigned char kLeadOfC1 = 0xc2;  // U+0080 to U+009F are this byte and one below 0xa0
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_c1 = byte == kLeadOfC1 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    clean += byte < ' ' || byte == kDelete || is_c1 ? '?' : text[i];
    if (is_c1) ++i;
  }
  return clean;
}

std::string format_table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::size_t width = columns[c].title.size();
      for (const Row& row : rows) width = std::max(width, row[c].size());
      if (c > 0) line += "  ";
      line +=
          columns[c].to_the_left ? fmt::format("{:<{}}", cell_of(c), width) : fmt::format("{:>{}}", cell_of(c), width);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([&](std::size_t c) { return columns[c].title; });
  for (const Row& row : rows) {
    add_line([&](std::size_t c) { return without_controls(row[c]); });
  }
  return text;
}

}  // namespace trntensor::cli
