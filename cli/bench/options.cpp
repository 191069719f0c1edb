#include "cli/bench/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/nearest.hpp"
#include "cli/values.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr const char* kAll = "all";

std::vector<std::string> parse_list(const std::string& text, std::string_view option) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    if (items.back().empty())
      throw_invalid(fmt::format("{} \"{}\" is no list", option, text), {}, "separate its items by single commas");
    begin = end + 1;
  }
  return items;
}

template <typename T>
void add_once(std::vector<T>& list, T item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

std::vector<int> parse_threads(const std::string& text) {
  const int cpus = cpu_info().logical_cpus;
  std::vector<int> threads;
  for (const std::string& item : parse_list(text, "--threads"))
    add_once(threads, item == kAll ? cpus : static_cast<int>(parse_integer(item, "--threads", 1, cpus)));
  return threads;
}

std::vector<DType> parse_dtypes(const std::string& text) {
  std::vector<DType> dtypes;
  for (const std::string& item : parse_list(text, "--dtype")) {
    const DType dtype = parse_dtype(item);
    if (dtype != DType::kFloat64 && dtype != DType::kFloat32 && dtype != DType::kBFloat16)
      throw_unsupported(fmt::format("--dtype {} is not measured", item), {}, "use f64, f32 or bf16");
    add_once(dtypes, dtype);
  }
  return dtypes;
}

/// "48x400x1200" where `form` is "OCCxVIRxAUX".
Extents parse_extents(const std::string& item, const std::string& form) {
  constexpr std::int64_t kLargest = 32768;
  const auto parts = [](std::string text) {
    std::vector<std::string> list;
    for (std::size_t end = text.find('x'); end != std::string::npos; end = text.find('x')) {
      list.push_back(text.substr(0, end));
      text.erase(0, end + 1);
    }
    list.push_back(text);
    return list;
  };
  const std::vector<std::string> values = parts(item);
  if (values.size() != parts(form).size())
    throw_invalid(fmt::format("--sizes has \"{}\", which is no {}", item, form), {},
                  "write whole numbers with an x between them, separate sizes by commas");
  Extents extents;
  for (const std::string& value : values) extents.push_back(parse_integer(value, "--sizes", 1, kLargest));
  return extents;
}

std::vector<Extents> parse_sizes(const std::string& text, const std::string& form) {
  std::vector<Extents> sizes;
  for (const std::string& item : parse_list(text, "--sizes")) add_once(sizes, parse_extents(item, form));
  return sizes;
}

std::vector<Suite> parse_suite(const std::string& name) {
  std::vector<Suite> chosen;
  for (const Suite& suite : suites()) {
    if (name == kAll || suite.name == name) chosen.push_back(suite);
  }
  if (!chosen.empty()) return chosen;
  const std::vector<std::string> names = suite_names();
  const auto nearest = nearest_name(name, names);
  throw_invalid(
      fmt::format("there is no suite \"{}\"{}", name, nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""),
      {}, fmt::format("name one of {}", fmt::join(names, ", ")));
}

bool has_cases(const std::vector<Suite>& chosen) {
  return std::any_of(chosen.begin(), chosen.end(), [](const Suite& suite) { return suite.cases != nullptr; });
}

bool measures(const Suite& suite, DType dtype) {
  const auto has = [dtype](const std::vector<DType>& list) {
    return std::find(list.begin(), list.end(), dtype) != list.end();
  };
  return has(suite.dtypes) || has(suite.also);
}

/// Of several suites each measures the types it can; of one they are all meant.
void check_dtypes(const Suite& suite, const std::vector<DType>& asked) {
  for (const DType dtype : asked) {
    if (measures(suite, dtype)) continue;
    std::vector<std::string_view> names;
    for (const DType known : {DType::kFloat64, DType::kFloat32, DType::kBFloat16}) {
      if (measures(suite, known)) names.push_back(to_string(known));
    }
    throw_unsupported(fmt::format("the suite {} is not measured in {}", suite.name, to_string(dtype)), {},
                      fmt::format("use {}", fmt::join(names, " or ")));
  }
}

/// The options for one of the suites.
SuiteOptions options_of(const Suite& suite, const SuiteOptions& asked) {
  SuiteOptions options = asked;
  options.dtypes = suite.dtypes;
  if (asked.dtypes.empty()) return options;
  options.dtypes.clear();
  for (const DType dtype : asked.dtypes) {
    if (measures(suite, dtype)) options.dtypes.push_back(dtype);
  }
  return options;
}

/// Options that the suite has no use for would be ignored silently.
void check_fit(const Arguments& arguments, const std::vector<Suite>& chosen) {
  const bool sizes = chosen.size() == 1 && !chosen.front().size.empty();
  if (arguments.sizes && !sizes)
    throw_invalid(fmt::format("the suite {} has sizes of its own", arguments.suite), {}, "leave --sizes out");
  if (has_cases(chosen)) return;
  if (!arguments.plot.empty() || !arguments.filter.empty()) {
    throw_invalid(fmt::format("the suite {} has no cases", arguments.suite), {},
                  "leave --plot and --filter out, or name a suite that has cases");
  }
}

}  // namespace

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const Suite& suite : suites()) names.push_back(suite.name);
  names.emplace_back(kAll);
  return names;
}

std::vector<std::string> parse_peers(const std::optional<std::string>& list) {
  const auto variable = environment_text(kPeersVariable);
  const bool from_variable = !list && variable;
  const std::string_view origin = from_variable ? kPeersVariable : "--peers";
  std::vector<std::string> known = peer_names();
  known.insert(known.end(), {kAll, "none"});
  const std::vector<std::string> names = parse_list(from_variable ? *variable : list.value_or(kAll), origin);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto nearest = nearest_name(name, known);
    throw_invalid(fmt::format("{} names \"{}\", which is no peer{}", origin, name,
                              nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""),
                  {}, fmt::format("name some of {}", fmt::join(known, ", ")));
  }
  return names;
}

Options parse_options(const Arguments& arguments) {
  Options options;
  options.suites = parse_suite(arguments.suite);
  check_fit(arguments, options.suites);
  options.cases.threads = parse_threads(arguments.threads);
  if (arguments.dtypes) options.cases.dtypes = parse_dtypes(*arguments.dtypes);
  if (options.suites.size() == 1) check_dtypes(options.suites.front(), options.cases.dtypes);
  if (arguments.sizes) options.cases.sizes = parse_sizes(*arguments.sizes, options.suites.front().size);
  options.peers = parse_peers(arguments.peers);
  options.seconds = parse_positive(arguments.seconds, "--seconds");
  return options;
}

std::string command_line(const Arguments& arguments) {
  std::string line = fmt::format("trntensor bench {}", arguments.suite);
  const auto add = [&](const char* option, const std::string& value, const std::string& usual) {
    if (value != usual) line += fmt::format(" {} {}", option, value);
  };
  const Arguments usual;
  add("--threads", arguments.threads, usual.threads);
  add("--dtype", arguments.dtypes.value_or(""), "");
  add("--sizes", arguments.sizes.value_or(""), "");
  add("--peers", arguments.peers.value_or(""), "");
  add("--filter", arguments.filter, "");
  add("--seconds", arguments.seconds, usual.seconds);
  if (arguments.keep_environment) line += " --keep-environment";
  add("--keep", arguments.keep, "");
  add("--plot", arguments.plot, "");
  add("--markdown", arguments.markdown, "");
  return line;
}

std::vector<Case> selected_cases(const Options& options, const std::string& filter) {
  std::vector<Case> cases;
  for (const Suite& suite : options.suites) {
    if (suite.cases == nullptr) continue;
    for (Case& what : suite.cases(options_of(suite, options.cases))) {
      if (what.name.find(filter) != std::string::npos || what.subscripts.find(filter) != std::string::npos)
        cases.push_back(std::move(what));
    }
  }
  if (cases.empty() && has_cases(options.suites)) {
    throw_invalid(fmt::format("no case has \"{}\" in its name or subscripts", filter), {},
                  "leave --filter out; with --list they are only shown");
  }
  return cases;
}

}  // namespace trntensor::cli::bench
