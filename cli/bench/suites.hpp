// The suites, one file each; a new one is a row of the table in suites.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/case.hpp"

namespace trntensor::cli::bench {

using Extents = std::vector<std::int64_t>;

/// What a user may ask of the cases.
struct SuiteOptions {
  std::vector<DType> dtypes;
  std::vector<int> threads = {1};
  std::vector<Extents> sizes;  ///< each of as many extents as the suite takes; empty: the suite's own
};

struct Suite {
  std::string name;
  std::string what;                ///< one line for people
  std::vector<DType> dtypes = {};  ///< measured unless others are asked for
  std::vector<DType> also = {};    ///< measured when asked for
  std::string size = {};           ///< an item of --sizes, "N" or "OCCxVIR": what its extents are; empty: it takes none
  std::vector<Case> (*cases)(const SuiteOptions& options) = nullptr;  ///< null: the floors alone are the result
};

std::span<const Suite> suites();

std::vector<Case> gemm_cases(
    const SuiteOptions& options);  ///< matrix products, square and skinny, plain and transposed
std::vector<Case> small_cases(const SuiteOptions& options);      ///< where a call costs more than its arithmetic
std::vector<Case> tccg_cases(const SuiteOptions& options);       ///< tensor contractions of chemistry and others
std::vector<Case> mp2_cases(const SuiteOptions& options);        ///< the DF-MP2 energy
std::vector<Case> ao2mo_cases(const SuiteOptions& options);      ///< integrals from atomic to molecular orbitals
std::vector<Case> precision_cases(const SuiteOptions& options);  ///< what more digits cost

}  // namespace trntensor::cli::bench
