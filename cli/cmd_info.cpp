// trntensor info: what this build is, what it found, and what it will use.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/environment_report.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/version.hpp"

namespace trntensor::cli {
namespace {

using Json = nlohmann::ordered_json;

#ifdef __clang__
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

#ifdef TRNTENSOR_ENABLE_ASSERTS
constexpr bool kAssertions = true;
#else
constexpr bool kAssertions = false;
#endif

/// What a call with default options would use. Nothing where the environment makes it fail; its report says why.
struct Choices {
  int threads = 0;
  std::vector<std::pair<DType, std::string>> kernels;
};

/// The result of `function`, or a value of its type that says nothing when it throws Error.
template <typename Function>
auto try_call(Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (const Error&) {
    return {};
  }
}

/// Of a product of two operands of `dtype`.
std::string kernel_of(DType dtype) {
  host::BinaryProblem problem;
  problem.a = problem.b = {dtype, dtype};
  problem.accumulator = dtype == DType::kBFloat16 ? DType::kFloat32 : dtype;
  return host::choose_gemm_kernel(problem).name;
}

Choices choices() {
  Choices result;
  result.threads = try_call([] { return num_threads(); });
  for (const DType dtype :
       {DType::kFloat64, DType::kFloat32, DType::kBFloat16, DType::kComplex128, DType::kComplex64}) {
    std::string name = try_call([&] { return kernel_of(dtype); });
    if (!name.empty()) result.kernels.emplace_back(dtype, std::move(name));
  }
  return result;
}

Json json_of_environment(const std::vector<EnvironmentEntry>& entries) {
  Json list = Json::array();
  for (const EnvironmentEntry& entry : entries) {
    list.push_back({{"name", entry.name},
                    {"value", entry.value ? Json(*entry.value) : Json()},
                    {"fault", entry.fault.empty() ? Json() : Json(entry.fault)}});
  }
  return list;
}

Json to_json(const Choices& chosen, const std::vector<EnvironmentEntry>& environment) {
  const CpuInfo& cpu = cpu_info();
  Json object;
  object["version"] = TRNTENSOR_VERSION;
  object["compiler"] = kCompiler;
  object["assertions"] = kAssertions;
  object["cpu"] = {{"model", cpu.model},
                   {"logical_cpus", cpu.logical_cpus},
                   {"l1d_bytes", cpu.l1d_bytes},
                   {"l2_bytes", cpu.l2_bytes},
                   {"l3_bytes", cpu.l3_bytes}};
  object["instruction_sets"] = host_kernel_names();
  object["kernels"] = Json::object();
  for (const auto& [dtype, kernel] : chosen.kernels) object["kernels"][std::string(to_string(dtype))] = kernel;
  object["threads"] = chosen.threads > 0 ? Json(chosen.threads) : Json();
  object["environment"] = json_of_environment(environment);
  return object;
}

std::string to_text(const Choices& chosen, const std::vector<EnvironmentEntry>& environment) {
  const CpuInfo& cpu = cpu_info();
  const auto bytes = [](std::int64_t size) { return format_bytes(static_cast<double>(size)); };
  std::vector<Row> rows = {
      {"version", TRNTENSOR_VERSION},
      {"compiler", fmt::format("{}{}", kCompiler, kAssertions ? ", with assertions" : "")},
      {"CPU", fmt::format("{}, {} logical", cpu.model, cpu.logical_cpus)},
      {"caches", fmt::format("L1d {}, L2 {}, L3 {}", bytes(cpu.l1d_bytes), bytes(cpu.l2_bytes), bytes(cpu.l3_bytes))},
      {"instruction sets", fmt::format("{}", fmt::join(host_kernel_names(), ", "))},
      {"threads", chosen.threads > 0 ? fmt::format("{}", chosen.threads) : "-"}};
  for (const auto& [dtype, kernel] : chosen.kernels)
    rows.push_back({fmt::format("kernel {}", to_string(dtype)), kernel});
  std::vector<Row> variables;
  for (const EnvironmentEntry& entry : environment) {
    const std::string note =
        entry.fault.empty() ? entry.meaning : "FAULT: " + entry.fault.substr(0, entry.fault.find('\n'));
    variables.push_back({entry.name, entry.value.value_or("(unset)"), note});
  }
  return format_table({{"trntensor", true}, {"", true}}, rows) + "\n" +
         format_table({{"environment", true}, {"value", true}, {"", true}}, variables);
}

void run(bool json) {
  const Choices chosen = choices();
  const std::vector<EnvironmentEntry> environment = environment_report();
  if (json) {
    print_json(to_json(chosen, environment));
  } else {
    print(to_text(chosen, environment));
  }
}

}  // namespace

void add_info(CLI::App& app, Session& /*session*/) {
  CLI::App* verb = app.add_subcommand("info", "Version, CPU, kernels, threads and environment");
  const auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "Print one JSON object (docs/cli.md)");
  verb->footer("Example: TRNTENSOR_NUM_THREADS=4 trntensor info");
  verb->callback([json] { run(*json); });
}

}  // namespace trntensor::cli
