#include <fmt/format.h>

#include "cli/bench/report.hpp"
#include "cli/bench/report_rows.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/version.hpp"

namespace trntensor::cli::bench {
namespace {

void add(std::string& text, const Table& table) {
  std::string rule;
  for (const Column& column : table.columns) {
    text += "| " + column.title + " ";
    rule += column.to_the_left ? "|---" : "|--:";
  }
  text.append("|\n").append(rule).append("|\n");
  for (const Row& row : table.rows) {
    for (const std::string& cell : row) text += "| " + without_controls(cell) + " ";
    text += "|\n";
  }
  text += "\n";
}

constexpr const char* kReading =
    "Every case runs ours and each peer by turns in one process on the same buffers, after their results were found "
    "to\n"
    "agree. Times are medians, ranges go from the 10th to the 90th percentile. *% of peak* is of the multiply-add "
    "peak\n"
    "below; *% of roofline* is of the time that arithmetic at 95 % of that peak and moving every tensor once would "
    "take\n"
    "one after the other. *Ratio* is the best peer's time over ours, round by round: above 1, ours is faster. *ttgt+x* "
    "is\n"
    "peer x behind transposes, on the fastest of its ways.\n\n";

}  // namespace

std::string to_markdown(const Report& report, const std::string& plot) {
  const CpuInfo& cpu = cpu_info();
  std::string text = "# Performance\n\n";
  text += fmt::format("Produced by `{}`, trntensor {}, on {} ({} CPUs, L2 {}, L3 {}).\n\n", report.command,
                      TRNTENSOR_VERSION, cpu.model, cpu.logical_cpus, format_bytes(static_cast<double>(cpu.l2_bytes)),
                      format_bytes(static_cast<double>(cpu.l3_bytes)));
  text += kReading;
  if (!plot.empty()) text += fmt::format("![Rooflines, and the rates of all cases]({})\n\n", plot);
  text += "## Summary\n\n";
  add(text, summary_table(report));
  text += "## The machine\n\n";
  add(text, peak_table(report.floors));
  add(text, bandwidth_table(report.floors));
  if (!report.peers.empty()) {
    text += "## Peers\n\n";
    add(text, peer_table(report));
  }
  for (const Summary& group : summaries(report)) {
    text += fmt::format("## {}\n\n", title_of(group));
    add(text, case_table(report, group));
  }
  text.pop_back();
  return text;
}

}  // namespace trntensor::cli::bench
