#include <nlohmann/json.hpp>

#include "cli/bench/report.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/version.hpp"

namespace trntensor::cli::bench {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json to_json(const Score& score) {
  return {{"name", score.name},
          {"kernel", score.kernel},
          {"gflops", score.gflops},
          {"seconds", score.seconds.median},
          {"seconds_p10", score.seconds.p10},
          {"seconds_p90", score.seconds.p90},
          {"rounds", score.rounds}};
}

Json json_of_scores(const CaseResult& result) {
  if (!result.error.empty()) return Json::array();
  Json scores = Json::array({to_json(result.ours)});
  for (const Score& peer : result.peers) scores.push_back(to_json(peer));
  if (result.yardstick) scores.push_back(to_json(*result.yardstick));
  return scores;
}

Json to_json(const CaseResult& result) {
  const Case& what = result.what;
  const auto measured = [&](double value) { return result.error.empty() ? Json(value) : Json(); };
  Json peers = Json::object();
  for (const Score& peer : result.peers) peers[peer.name] = peer.gflops;
  Json object;
  object["name"] = what.name;
  object["suite"] = what.suite;
  object["subscripts"] = what.subscripts;
  object["dtype"] = to_string(what.dtype);
  object["threads"] = what.threads;
  object["flops"] = what.flops;
  object["bytes"] = what.bytes;
  object["gflops"] = measured(result.ours.gflops);
  object["seconds"] = measured(result.ours.seconds.median);
  object["peak_gflops"] = measured(result.peak_gflops);
  object["fraction_of_peak"] = measured(result.fraction_of_peak);
  object["fraction_of_roofline"] = measured(result.fraction_of_roofline);
  object["peers"] = std::move(peers);
  object["best_peer"] = text_or_null(result.best_peer);
  object["ratio_to_best_peer"] = result.ratio ? Json(result.ratio->median) : Json();
  object["ratio_p10"] = result.ratio ? Json(result.ratio->p10) : Json();
  object["ratio_p90"] = result.ratio ? Json(result.ratio->p90) : Json();
  object["yardstick"] = result.yardstick ? Json(result.yardstick->name) : Json();
  object["times_yardstick"] = result.times ? Json(result.times->median) : Json();
  object["times_p10"] = result.times ? Json(result.times->p10) : Json();
  object["times_p90"] = result.times ? Json(result.times->p90) : Json();
  object["error_ulps"] = result.error_ulps ? Json(*result.error_ulps) : Json();
  object["contestants"] = json_of_scores(result);
  object["compared_with"] = result.compared;
  object["error"] = text_or_null(result.error);
  return object;
}

Json to_json(const Summary& summary) {
  return {{"suite", summary.suite},
          {"dtype", to_string(summary.dtype)},
          {"threads", summary.threads},
          {"cases", summary.cases},
          {"errors", summary.errors},
          {"with_peers", summary.compared},
          {"ahead", summary.ahead},
          {"geomean_gflops", summary.geomean_gflops},
          {"geomean_fraction_of_roofline", summary.geomean_of_roofline},
          {"geomean_ratio", summary.geomean_ratio ? Json(*summary.geomean_ratio) : Json()}};
}

Json to_json(const PeerEntry& entry) {
  const bool found = entry.peer != nullptr;
  return {{"name", entry.name},
          {"found", found},
          {"version", found ? Json(entry.peer->version()) : Json()},
          {"kernels", found ? Json(entry.peer->kernels()) : Json()},
          {"note", text_or_null(entry.note)}};
}

Json to_json(const StreamLevel& level) {
  return {{"level", level.name}, {"threads", level.threads}, {"bytes_a_thread", level.bytes},   {"read", level.read},
          {"copy", level.copy},  {"triad", level.triad},     {"past_caches", level.past_caches}};
}

template <typename List>
Json json_of_list(const List& list) {
  Json array = Json::array();
  for (const auto& item : list) array.push_back(to_json(item));
  return array;
}

}  // namespace

nlohmann::ordered_json to_json(const Report& report) {
  Json object;
  object["suite"] = report.suite;
  object["version"] = TRNTENSOR_VERSION;
  object["cpu"] = cpu_info().model;
  object["peak_gflops"] = Json::object();
  object["peaks"] = Json::array();
  for (const PeakRow& row : report.floors.peaks) {
    Json& one = object["peak_gflops"][std::string(to_string(row.dtype))];
    if (one.is_null()) one = row.peak.gflops;
    object["peaks"].push_back({{"dtype", to_string(row.dtype)},
                               {"threads", row.threads},
                               {"gflops", row.peak.gflops},
                               {"instructions", row.peak.instructions}});
  }
  object["bandwidth_gbs"] = json_of_list(report.floors.levels);
  object["peers"] = json_of_list(report.peers);
  object["cases"] = json_of_list(report.cases);
  object["summary"] = json_of_list(summaries(report));
  const auto ratio = geomean_ratio(report);
  object["geomean_ratio"] = ratio ? Json(*ratio) : Json();
  return object;
}

}  // namespace trntensor::cli::bench
