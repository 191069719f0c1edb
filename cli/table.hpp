// Tables for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trntensor::cli {

struct Column {
  std::string title;
  bool to_the_left = false;  ///< text; numbers are aligned to the right
};

using Row = std::vector<std::string>;

/// Names come out of files: what could steer a terminal or break a line (C0 and C1 controls, also as UTF-8) becomes
/// "?".
std::string without_controls(std::string_view text);

/// One line of titles, one per row, columns two blanks apart, no blanks at the ends of lines.
std::string format_table(const std::vector<Column>& columns, const std::vector<Row>& rows);

}  // namespace trntensor::cli
