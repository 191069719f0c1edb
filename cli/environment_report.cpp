#include "cli/environment_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "cli/bench/options.hpp"
#include "cli/nearest.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/plan/plan_cache.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli {
namespace {

struct Variable {
  const char* name;
  const char* meaning;
  void (*read)();  ///< throws Error when the text cannot be used
};

constexpr Variable kVariables[] = {
    {"TRNTENSOR_NUM_THREADS", "threads a call may use", [] { num_threads(); }},
    {"TRNTENSOR_HOST_KERNEL", "instruction set of the host's kernels",
     [] { host::choose_gemm_kernel(DType::kFloat64, false); }},
    {"TRNTENSOR_PLAN_CACHE_SIZE", "plans kept for calls to come", [] { plan_cache_info(); }},
    {bench::kPeersVariable, "libraries that bench measures beside ours", [] { bench::parse_peers({}); }},
};

EnvironmentEntry check(const Variable& variable) {
  EnvironmentEntry entry{variable.name, variable.meaning, environment_text(variable.name), {}};
  try {
    variable.read();
  } catch (const Error& error) {
    entry.fault = error.what();
  }
  return entry;
}

std::optional<EnvironmentEntry> check_foreign(std::string_view assignment, const std::vector<std::string>& known) {
  const std::string name(assignment.substr(0, assignment.find('=')));
  if (!name.starts_with("TRNTENSOR_") && !name.starts_with("TRNSCI_")) return std::nullopt;
  if (std::find(known.begin(), known.end(), name) != known.end()) return std::nullopt;
  const auto nearest = nearest_name(name, known);
  return EnvironmentEntry{
      name, {}, environment_text(name.c_str()), nearest ? fmt::format("is not read; {} is", *nearest) : "is not read"};
}

}  // namespace

std::vector<EnvironmentEntry> environment_report() {
  std::vector<EnvironmentEntry> entries;
  std::vector<std::string> known;
  for (const Variable& variable : kVariables) {
    entries.push_back(check(variable));
    known.emplace_back(variable.name);
  }
  for (char** assignment = environ; *assignment != nullptr; ++assignment) {
    if (auto entry = check_foreign(*assignment, known)) entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace trntensor::cli
