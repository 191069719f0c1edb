#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "trntensor/plan/error_bound.hpp"
#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/given_path.hpp"
#include "trntensor/plan/path_finder.hpp"
#include "trntensor/plan/precision_choice.hpp"
#include "trntensor/plan/result_types.hpp"
#include "trntensor/plan/step_builder.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

// Some ten seconds.
constexpr double kMostWork = 1e10;

// What a cast or a foreign language made of an enumeration.
void check_enumerators(const PlanOptions& options, std::span<const DType> dtypes) {
  const bool known = options.method <= PathMethod::kOptimal && options.precision <= Precision::kStochastic &&
                     is_dtype(options.dtype.value_or(DType::kFloat64)) &&
                     is_dtype(options.output_dtype.value_or(DType::kFloat64)) && std::ranges::all_of(dtypes, is_dtype);
  if (known) return;
  throw_invalid("an element type, precision or path method has a value outside its enumeration", {},
                "use the enumerators of DType, Precision and PathMethod");
}

void check_operands(const Spec& spec, std::span<const DType> dtypes) {
  if (spec.inputs.empty()) throw_invalid("a contraction of no operands", {}, "give at least one operand");
  if (spec.inputs.size() != dtypes.size()) {
    throw_invalid(fmt::format("{} element types for {} operands", dtypes.size(), spec.inputs.size()), {},
                  "give one element type per operand");
  }
}

Plan::Contents make_header(const Spec& spec, std::span<const DType> dtypes, PlanOptions options, Precision precision) {
  options.precision = precision;
  const plan::ResultTypes types = plan::result_types(dtypes, options);
  Plan::Contents header;
  header.spec = spec;
  header.input_dtypes.assign(dtypes.begin(), dtypes.end());
  header.compute_dtype = types.compute;
  header.accumulator_dtype = types.accumulator;
  header.output_dtype = types.output;
  header.precision = precision;
  header.target_forward_error = options.target_forward_error;
  return header;
}

struct NamedPath {
  plan::SsaPath steps;
  std::string method;
};

std::optional<NamedPath> run_finder(const plan::Network& network, plan::PathFinder finder,
                                    const std::stop_token& stop) {
  const auto found = plan::find_path(network, finder, {stop, kMostWork});
  if (!found) return std::nullopt;
  return NamedPath{found->steps, found->optimal ? "optimal" : "greedy"};
}

NamedPath search(const plan::Network& network, const PlanOptions& options) {
  if (options.path) return {plan::expand_path(*options.path, network), "given"};
  if (network.size() == 1) return {{}, "trivial"};
  if (network.size() == 2) return {{{0, 1}}, "trivial"};
  if (options.method == PathMethod::kGreedy) {
    return {plan::find_path(network, plan::greedy_path, {options.stop})->steps, "greedy"};
  }
  const bool exact = options.method == PathMethod::kOptimal;
  const auto found = run_finder(network, exact ? plan::optimal_path : plan::auto_path, options.stop);
  if (!found) {
    throw_unsupported(fmt::format("the optimal order of {} operands is out of reach of the search", network.size()), {},
                      "plan with \"auto\" or \"greedy\", or give a path");
  }
  return *found;
}

[[noreturn]] void refuse_for_memory(const Plan::Contents& least, std::int64_t limit) {
  throw Error(ErrorKind::kOutOfMemory,
              fmt::format("the contraction needs {} for intermediates and result, the memory limit is {}",
                          format_bytes(least.peak_bytes), format_bytes(static_cast<double>(limit))),
              fmt::format("{} ({:.0f} bytes against {})", least.spec.to_string(), least.peak_bytes, limit),
              least.method == "given" ? "raise the memory limit, or leave the path out"
                                      : "raise the memory limit, or contract in smaller pieces");
}

// When the plan needs more memory than it may: the other finders' plans, and of those that fit the cheapest.
template <typename Complete>
Plan::Contents keep_within(std::int64_t limit, Plan::Contents chosen, const plan::Network& network,
                           const PlanOptions& options, Complete&& complete) {
  const auto fits = [&](const Plan::Contents& contents) { return contents.peak_bytes <= static_cast<double>(limit); };
  if (fits(chosen)) return chosen;
  if (!options.path && network.size() > 2) {
    for (const plan::PathFinder finder : {plan::auto_path, plan::greedy_path, plan::smallest_result_path}) {
      Plan::Contents other = complete(*run_finder(network, finder, options.stop));
      const bool better = fits(chosen) ? fits(other) && other.macs < chosen.macs : other.peak_bytes < chosen.peak_bytes;
      if (better) chosen = std::move(other);
    }
  }
  if (!fits(chosen)) refuse_for_memory(chosen, limit);
  return chosen;
}

}  // namespace

Plan make_plan(const Spec& spec, std::span<const DType> dtypes, const PlanOptions& options, const Executor& executor) {
  check_operands(spec, dtypes);
  check_enumerators(options, dtypes);
  plan::check_target(options);
  const std::string backend = executor.name();
  const std::string reason = fmt::format("only the {} executor is available", backend);
  const auto start = std::chrono::steady_clock::now();
  const plan::Network network = plan::network_of(spec);
  std::optional<NamedPath> path;
  const auto plan_in = [&](Precision precision) {
    const Plan::Contents header = make_header(spec, dtypes, options, precision);
    const auto complete = [&](const NamedPath& found) {
      Plan::Contents contents = header;
      contents.method = found.method;
      return plan::complete_contents(std::move(contents), found.steps, backend, reason);
    };
    if (!path) path = search(network, options);
    Plan::Contents contents = complete(*path);
    if (!options.memory_limit) return contents;
    return keep_within(*options.memory_limit, std::move(contents), network, options, complete);
  };
  Plan::Contents contents = options.target_forward_error
                                ? plan::choose_precision(*options.target_forward_error, plan_in)
                                : plan_in(options.precision);
  contents.search_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return Plan(std::move(contents));
}

}  // namespace trntensor
