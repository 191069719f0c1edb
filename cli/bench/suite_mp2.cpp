#include "cli/bench/mp2_case.hpp"
#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {

std::vector<Case> mp2_cases(const SuiteOptions& options) {
  std::vector<Extents> sizes = options.sizes;
  if (sizes.empty()) sizes = {{48, 400, 1200}};
  std::vector<Case> cases;
  for (const int threads : options.threads) {
    for (const DType dtype : options.dtypes) {
      for (const Extents& size : sizes) cases.push_back(mp2_case("mp2", size[0], size[1], size[2], dtype, threads));
    }
  }
  return cases;
}

}  // namespace trntensor::cli::bench
