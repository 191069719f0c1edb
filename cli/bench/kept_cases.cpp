#include "cli/bench/kept_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "trntensor/plan/json_field.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/atomic_file.hpp"
#include "trntensor/version.hpp"

namespace trntensor::cli::bench {
namespace {

using plan::JsonField;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

bool is_same(const Case& a, const Case& b) {
  return a.suite == b.suite && a.name == b.name && a.subscripts == b.subscripts && a.dtype == b.dtype &&
         a.threads == b.threads;
}

Score score_from(const JsonField& object) {
  Score score;
  score.name = object.at("name").text();
  score.kernel = object.at("kernel").text();
  score.seconds = {object.at("seconds_p10").number(), object.at("seconds").number(), object.at("seconds_p90").number()};
  score.gflops = object.at("gflops").number();
  score.rounds = static_cast<std::size_t>(object.at("rounds").integer(0, kMost));
  return score;
}

std::optional<Quantiles> quantiles_from(const JsonField& p10, const JsonField& median, const JsonField& p90) {
  if (median.is_null()) return std::nullopt;
  return Quantiles{p10.number(), median.number(), p90.number()};
}

std::string text_or_empty(const JsonField& field) { return field.is_null() ? std::string() : field.text(); }

Case what_from(const JsonField& object) {
  Case what;
  what.suite = object.at("suite").text();
  what.name = object.at("name").text();
  what.subscripts = object.at("subscripts").text();
  what.dtype = parse_dtype(object.at("dtype").text());
  what.threads = static_cast<int>(object.at("threads").integer(1, std::numeric_limits<int>::max()));
  what.flops = object.at("flops").number();
  what.bytes = object.at("bytes").number();
  return what;
}

CaseResult result_from(const JsonField& object) {
  CaseResult result;
  result.what = what_from(object);
  result.error = text_or_empty(object.at("error"));
  if (!result.error.empty()) return result;
  for (const JsonField& name : object.at("compared_with").elements()) result.compared.push_back(name.text());
  const std::string yardstick = text_or_empty(object.at("yardstick"));
  const std::vector<JsonField> contestants = object.at("contestants").elements();
  if (contestants.empty()) object.at("contestants").refuse("is empty");
  result.ours = score_from(contestants.front());
  for (const JsonField& other : std::span(contestants).subspan(1)) {
    Score score = score_from(other);
    if (score.name == yardstick) {
      result.yardstick = std::move(score);
    } else {
      result.peers.push_back(std::move(score));
    }
  }
  result.times = quantiles_from(object.at("times_p10"), object.at("times_yardstick"), object.at("times_p90"));
  result.ratio = quantiles_from(object.at("ratio_p10"), object.at("ratio_to_best_peer"), object.at("ratio_p90"));
  if (!object.at("error_ulps").is_null()) result.error_ulps = object.at("error_ulps").number();
  result.peak_gflops = object.at("peak_gflops").number();
  result.fraction_of_peak = object.at("fraction_of_peak").number();
  result.fraction_of_roofline = object.at("fraction_of_roofline").number();
  result.best_peer = text_or_empty(object.at("best_peer"));
  return result;
}

/// Figures of different machines or versions are no table.
void check_same(const JsonField& field, std::string_view here) {
  if (field.text() != here) field.refuse(fmt::format("is \"{}\", here it is \"{}\"", field.text(), here));
}

std::vector<CaseResult> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be read", path));
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    const JsonField root(json, "");
    check_same(root.at("cpu"), cpu_info().model);
    check_same(root.at("version"), TRNTENSOR_VERSION);
    std::vector<CaseResult> cases;
    for (const JsonField& object : root.at("cases").elements()) cases.push_back(result_from(object));
    return cases;
  } catch (const Error& error) {
    throw_invalid(fmt::format("--keep {}: {}", path, error.what()), {}, "name another file, or remove this one");
  } catch (const nlohmann::json::exception& error) {
    throw_invalid(fmt::format("--keep {}: no JSON ({})", path, error.what()), {}, "name another file");
  }
}

}  // namespace

KeptCases::KeptCases(std::string path) : path_(std::move(path)) {
  if (!path_.empty() && std::filesystem::exists(path_)) cases_ = read_cases(path_);
}

const CaseResult* KeptCases::find(const Case& what) const {
  const auto found = std::find_if(cases_.begin(), cases_.end(), [&](const CaseResult& kept) {
    return is_same(kept.what, what) && kept.error.empty();
  });
  return found == cases_.end() ? nullptr : &*found;
}

void KeptCases::keep(const CaseResult& result, const Report& report) {
  if (path_.empty()) return;
  std::erase_if(cases_, [&](const CaseResult& kept) { return is_same(kept.what, result.what); });
  cases_.push_back(result);
  Report all = report;
  all.cases = cases_;
  const std::string text = to_json(all).dump(1) + "\n";
  io::AtomicFile file(path_);
  file.append(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace trntensor::cli::bench
