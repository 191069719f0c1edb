// Environment variables of the library: what is set, and whether it can be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trntensor::cli {

struct EnvironmentEntry {
  std::string name;
  std::string meaning;               ///< empty for a variable that is not ours
  std::optional<std::string> value;  ///< nothing when it is unset or empty
  std::string fault;                 ///< why it cannot be used; empty when it can
};

/// Every variable that trntensor reads, and those that are set, begin with TRNTENSOR_ or TRNSCI_, and are not read.
std::vector<EnvironmentEntry> environment_report();

}  // namespace trntensor::cli
