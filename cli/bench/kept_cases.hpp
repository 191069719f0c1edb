// Cases that an earlier run measured, so that a long run can be ended and gone on with.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/report.hpp"

namespace trntensor::cli::bench {

/// The cases of a file that holds what `--json` prints.
class KeptCases {
 public:
  /// Without a path nothing is kept. A file that does not exist yet holds no case. Throws InvalidArgument for one that
  /// holds something else, or figures of another CPU or version.
  explicit KeptCases(std::string path);

  /// The result of that case; null where it is not there or had an error.
  [[nodiscard]] const CaseResult* find(const Case& what) const;

  /// Adds a result and writes the file anew: what the report says beside its cases, and all that are kept. Throws Io.
  void keep(const CaseResult& result, const Report& report);

 private:
  std::string path_;
  std::vector<CaseResult> cases_;
};

}  // namespace trntensor::cli::bench
