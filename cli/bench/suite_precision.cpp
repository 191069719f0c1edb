#include "cli/bench/precision_case.hpp"
#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr Precision kModes[] = {Precision::kFast, Precision::kKahan, Precision::kDoubleDouble, Precision::kStochastic};

}  // namespace

std::vector<Case> precision_cases(const SuiteOptions& options) {
  std::vector<Extents> sizes = options.sizes;
  if (sizes.empty()) sizes = {{1024}};
  std::vector<Case> cases;
  for (const int threads : options.threads) {
    for (const DType dtype : options.dtypes) {
      for (const Extents& size : sizes) {
        for (const Precision mode : kModes) cases.push_back(precision_case("precision", mode, size[0], dtype, threads));
      }
    }
  }
  return cases;
}

}  // namespace trntensor::cli::bench
