// What the verb is asked for, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {

/// As they stand on the command line.
struct Arguments {
  std::string suite;
  std::string threads = "1";
  std::optional<std::string> dtypes;
  std::optional<std::string> sizes;
  std::optional<std::string> peers;
  std::string filter;
  std::string seconds = "0.5";
  std::string plot;
  std::string markdown;
  std::string keep;
  bool keep_environment = false;
  bool list = false;
  bool json = false;
};

struct Options {
  std::vector<Suite> suites;  ///< one, or all
  SuiteOptions cases;
  std::vector<std::string> peers;
  double seconds = 0.5;
};

/// What --peers stands for when it is not given.
inline constexpr const char* kPeersVariable = "TRNTENSOR_BENCH_PEERS";

/// The peers that a list asks for, by default the variable's, else "all". Throws InvalidArgument for a name that is
/// none.
std::vector<std::string> parse_peers(const std::optional<std::string>& list);

/// Throws InvalidArgument that names the option and what it takes.
Options parse_options(const Arguments& arguments);

/// The names the first argument may have.
std::vector<std::string> suite_names();

/// The command line that these arguments are.
std::string command_line(const Arguments& arguments);

/// The cases of the suites whose name or subscripts have the filter's text in them. Throws InvalidArgument when there
/// are suites with cases and none is left.
std::vector<Case> selected_cases(const Options& options, const std::string& filter);

}  // namespace trntensor::cli::bench
