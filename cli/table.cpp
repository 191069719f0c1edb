#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trntensor::cli {
namespace {

/// Names come out of files: what could steer a terminal or break the line becomes "?".
std::string without_controls(std::string text) {
  constexpr unsigned char kDelete = 0x7f;
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) == kDelete; }, '?');
  return text;
}

}  // namespace

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
