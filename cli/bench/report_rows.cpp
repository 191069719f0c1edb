#include "cli/bench/report_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/environment.hpp"

namespace trntensor::cli::bench {
namespace {

std::string percent(double part) { return fmt::format("{:.0f}", 100 * part); }

/// Three digits, and more where there are more before the point.
std::string rate(double value) {
  if (value >= 100) return fmt::format("{:.0f}", value);
  return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

std::string time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.1f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  return fmt::format("{:.2f} ms", seconds * 1e3);
}

double best_gflops(const CaseResult& result) {
  for (const Score& peer : result.peers) {
    if (peer.name == result.best_peer) return peer.gflops;
  }
  return 0;
}

std::string range(const Quantiles& values) { return fmt::format("{}-{}", rate(values.p10), rate(values.p90)); }

/// The beside-others part of a row.
Row peer_cells(const CaseResult& result) {
  if (!result.ratio) return {"-", "-", "-", "-"};
  return {rate(best_gflops(result)), fmt::format("{:.2f}", result.ratio->median),
          fmt::format("{:.2f}-{:.2f}", result.ratio->p10, result.ratio->p90), result.best_peer};
}

/// The same for cases that are measured beside a yardstick.
Row yardstick_cells(const CaseResult& result) {
  return {result.times ? rate(result.times->median) : "-", result.times ? range(*result.times) : "-",
          result.error_ulps ? fmt::format("{:.3g}", *result.error_ulps) : "-", ""};
}

Row row_of(const CaseResult& result, bool yardsticks) {
  if (!result.error.empty()) {
    const std::string first_line = result.error.substr(0, result.error.find('\n'));
    return {result.what.name, "-", "-", "-", "-", "-", "-", "-", "-", "ERROR: " + first_line};
  }
  const Score& ours = result.ours;
  Row row = {result.what.name,
             time(ours.seconds.median),
             rate(ours.gflops),
             fmt::format("{}-{}", rate(result.what.flops / ours.seconds.p90 * 1e-9),
                         rate(result.what.flops / ours.seconds.p10 * 1e-9)),
             percent(result.fraction_of_peak),
             percent(result.fraction_of_roofline)};
  const Row cells = yardsticks ? yardstick_cells(result) : peer_cells(result);
  row.insert(row.end(), cells.begin(), cells.end());
  return row;
}

std::vector<const CaseResult*> cases_of(const Report& report, const Summary& group) {
  std::vector<const CaseResult*> cases;
  for (const CaseResult& result : report.cases) {
    const Case& what = result.what;
    if (what.suite == group.suite && what.dtype == group.dtype && what.threads == group.threads)
      cases.push_back(&result);
  }
  return cases;
}

}  // namespace

Table peak_table(const Floors& floors) {
  Table table{{{"peak", true}, {"threads"}, {"GFLOP/s"}, {"instructions", true}}, {}};
  for (const PeakRow& row : floors.peaks) {
    table.rows.push_back({std::string(to_string(row.dtype)), fmt::format("{}", row.threads), rate(row.peak.gflops),
                          row.peak.instructions});
  }
  return table;
}

Table bandwidth_table(const Floors& floors) {
  Table table{{{"bandwidth, GB/s", true},
               {"threads"},
               {"a thread's arrays"},
               {"read"},
               {"copy"},
               {"triad"},
               {"copy past caches"}},
              {}};
  for (const StreamLevel& level : floors.levels) {
    table.rows.push_back({level.name, fmt::format("{}", level.threads), format_bytes(static_cast<double>(level.bytes)),
                          rate(level.read), rate(level.copy), rate(level.triad), rate(level.past_caches)});
  }
  return table;
}

Table peer_table(const Report& report) {
  Table table{{{"peer", true}, {"version", true}, {"kernels", true}, {"note", true}}, {}};
  for (const PeerEntry& entry : report.peers) {
    table.rows.push_back(
        {entry.name, entry.peer ? entry.peer->version() : "-", entry.peer ? entry.peer->kernels() : "-", entry.note});
  }
  return table;
}

Table summary_table(const Report& report) {
  Table table{{{"geometric means", true},
               {"cases"},
               {"errors"},
               {"GFLOP/s"},
               {"% of roofline"},
               {"ratio to best peer"},
               {"at least as fast"}},
              {}};
  for (const Summary& group : summaries(report)) {
    table.rows.push_back({title_of(group), fmt::format("{}", group.cases), fmt::format("{}", group.errors),
                          rate(group.geomean_gflops), percent(group.geomean_of_roofline),
                          group.geomean_ratio ? fmt::format("{:.2f}", *group.geomean_ratio) : "-",
                          fmt::format("{} of {}", group.ahead, group.compared)});
  }
  return table;
}

Table list_table(const Report& report) {
  Table table{
      {{"suite", true}, {"case", true}, {"subscripts", true}, {"dtype", true}, {"threads"}, {"GFLOP"}, {"tensors"}},
      {}};
  for (const CaseResult& result : report.cases) {
    const Case& what = result.what;
    table.rows.push_back({what.suite, what.name, what.subscripts, std::string(to_string(what.dtype)),
                          fmt::format("{}", what.threads), fmt::format("{:.3g}", what.flops * 1e-9),
                          format_bytes(what.bytes)});
  }
  return table;
}

Table case_table(const Report& report, const Summary& group) {
  Table table{{{"case", true}, {"time"}, {"GFLOP/s"}, {"p10-p90"}, {"% of peak"}, {"% of roofline"}}, {}};
  const std::vector<const CaseResult*> cases = cases_of(report, group);
  const auto with = std::find_if(cases.begin(), cases.end(), [](const CaseResult* one) { return one->yardstick; });
  const bool yardsticks = with != cases.end();
  std::vector<Column> columns = {{"best peer"}, {"ratio"}, {"p10-p90"}, {"which", true}};
  if (yardsticks)
    columns = {{fmt::format("time / {}", (*with)->yardstick->name)}, {"p10-p90"}, {"error, ulps"}, {"", true}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (const CaseResult* result : cases) table.rows.push_back(row_of(*result, yardsticks));
  return table;
}

std::string title_of(const Summary& group) {
  return fmt::format("{}, {}, {} thread{}", group.suite, to_string(group.dtype), group.threads,
                     group.threads == 1 ? "" : "s");
}

}  // namespace trntensor::cli::bench
