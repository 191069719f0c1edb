#include "cli/bench/suites.hpp"
#include "cli/bench/transform_case.hpp"

namespace trntensor::cli::bench {

std::vector<Case> ao2mo_cases(const SuiteOptions& options) {
  std::vector<Extents> sizes = options.sizes;
  if (sizes.empty()) sizes = {{256, 32, 224, 512}};
  std::vector<Case> cases;
  for (const int threads : options.threads) {
    for (const DType dtype : options.dtypes) {
      for (const Extents& size : sizes)
        cases.push_back(transform_case("ao2mo", {size[0], size[1], size[2], size[3]}, dtype, threads));
    }
  }
  return cases;
}

}  // namespace trntensor::cli::bench
