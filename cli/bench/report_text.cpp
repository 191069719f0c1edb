#include <fmt/format.h>

#include "cli/bench/report.hpp"
#include "cli/bench/report_rows.hpp"

namespace trntensor::cli::bench {
namespace {

void add(std::string& text, const Table& table) {
  if (table.rows.empty()) return;
  if (!text.empty()) text += "\n";
  text += format_table(table.columns, table.rows);
}

}  // namespace

std::string to_text(const Report& report) {
  std::string text;
  add(text, peak_table(report.floors));
  add(text, bandwidth_table(report.floors));
  add(text, peer_table(report));
  for (const Summary& group : summaries(report)) {
    text += fmt::format("\n{}\n", title_of(group));
    const Table table = case_table(report, group);
    text += format_table(table.columns, table.rows);
  }
  add(text, summary_table(report));
  return text;
}

}  // namespace trntensor::cli::bench
