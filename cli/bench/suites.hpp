// The suites, one file each; a new one is a row of the table in suites.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/case.hpp"

namespace trntensor::cli::bench {

/// What a user may ask of the cases.
struct SuiteOptions {
  std::vector<DType> dtypes;  ///< empty: the suite's own
  std::vector<int> threads = {1};
  std::vector<std::int64_t> sizes;  ///< empty: the suite's own
};

struct Suite {
  std::string name;
  std::string what;  ///< one line for people
  bool takes_sizes = false;
  std::vector<Case> (*cases)(const SuiteOptions& options) = nullptr;  ///< null: the floors alone are the result
};

std::span<const Suite> suites();

std::vector<Case> gemm_cases(
    const SuiteOptions& options);  ///< matrix products, square and skinny, plain and transposed
std::vector<Case> small_cases(const SuiteOptions& options);  ///< where a call costs more than its arithmetic
std::vector<Case> tccg_cases(const SuiteOptions& options);   ///< tensor contractions of chemistry and others

}  // namespace trntensor::cli::bench
