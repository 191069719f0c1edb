// What a run of the benchmark found, and the forms it is told in.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/case.hpp"
#include "cli/bench/floors.hpp"

namespace trntensor::cli::bench {

struct Report {
  std::string suite;    ///< as it was asked for
  std::string command;  ///< that makes it again
  Floors floors;
  std::vector<PeerEntry> peers;
  std::vector<CaseResult> cases;
};

/// Cases of one suite, element type and thread count.
struct Summary {
  std::string suite;
  DType dtype = DType::kFloat64;
  int threads = 1;
  int cases = 0;     ///< measured
  int errors = 0;    ///< not measured
  int ahead = 0;     ///< at least as fast as the best peer
  int compared = 0;  ///< cases with a peer
  double geomean_gflops = 0;
  double geomean_of_roofline = 0;
  std::optional<double> geomean_ratio;  ///< to the best peer of each case
};

std::vector<Summary> summaries(const Report& report);

/// Over all cases that have a peer; nothing when there is none.
std::optional<double> geomean_ratio(const Report& report);

nlohmann::ordered_json to_json(const Report& report);  ///< names in docs/cli.md
std::string to_text(const Report& report);             ///< tables for a terminal
/// A document: machine, peers, summary, every case; with a link to the picture where `plot` names one.
std::string to_markdown(const Report& report, const std::string& plot);

}  // namespace trntensor::cli::bench
