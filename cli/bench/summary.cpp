#include <algorithm>
#include <map>
#include <tuple>

#include "cli/bench/report.hpp"

namespace trntensor::cli::bench {
namespace {

std::optional<double> mean_ratio(std::span<const CaseResult* const> results) {
  std::vector<double> ratios;
  for (const CaseResult* result : results) {
    if (result->ratio) ratios.push_back(result->ratio->median);
  }
  if (ratios.empty()) return std::nullopt;
  return geometric_mean(ratios);
}

Summary summarise(std::span<const CaseResult* const> results) {
  Summary summary;
  const Case& first = results.front()->what;
  summary.suite = first.suite;
  summary.dtype = first.dtype;
  summary.threads = first.threads;
  std::vector<double> gflops;
  std::vector<double> fractions;
  for (const CaseResult* result : results) {
    if (!result->error.empty()) {
      ++summary.errors;
      continue;
    }
    ++summary.cases;
    gflops.push_back(result->ours.gflops);
    fractions.push_back(result->fraction_of_roofline);
    if (!result->ratio) continue;
    ++summary.compared;
    if (result->ratio->median >= 1) ++summary.ahead;
  }
  summary.geomean_gflops = geometric_mean(gflops);
  summary.geomean_of_roofline = geometric_mean(fractions);
  summary.geomean_ratio = mean_ratio(results);
  return summary;
}

}  // namespace

std::vector<Summary> summaries(const Report& report) {
  using Key = std::tuple<std::string, int, DType>;
  std::vector<Key> order;
  std::map<Key, std::vector<const CaseResult*>> groups;
  for (const CaseResult& result : report.cases) {
    const Key key{result.what.suite, result.what.threads, result.what.dtype};
    if (groups[key].empty()) order.push_back(key);
    groups[key].push_back(&result);
  }
  std::vector<Summary> list;
  for (const Key& key : order) list.push_back(summarise(groups[key]));
  return list;
}

std::optional<double> geomean_ratio(const Report& report) {
  std::vector<const CaseResult*> results;
  for (const CaseResult& result : report.cases) results.push_back(&result);
  return mean_ratio(results);
}

}  // namespace trntensor::cli::bench
