#include <fmt/format.h>

#include "cli/bench/contraction_case.hpp"
#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {
namespace {

Contracted square(std::int64_t n, DType dtype) { return {"ij", "jk", "ik", {{'i', n}, {'j', n}, {'k', n}}, dtype}; }

/// Every other shape of the suite, with its name.
std::vector<std::pair<std::string, Contracted>> others(DType dtype) {
  return {{"48x48x128 nt", {"ap", "bp", "ab", {{'a', 48}, {'b', 48}, {'p', 128}}, dtype}},
          {"1000 of 8x8x8", {"bij", "bjk", "bik", {{'b', 1000}, {'i', 8}, {'j', 8}, {'k', 8}}, dtype}}};
}

}  // namespace

std::vector<Case> small_cases(const SuiteOptions& options) {
  Extents sizes = {2, 3, 4, 8, 16, 32};
  if (!options.sizes.empty()) sizes.clear();
  for (const Extents& size : options.sizes) sizes.push_back(size[0]);
  std::vector<Case> cases;
  for (const int threads : options.threads) {
    for (const DType dtype : options.dtypes) {
      for (const std::int64_t n : sizes)
        cases.push_back(contraction_case("small", fmt::format("{0}x{0}x{0}", n), square(n, dtype), threads));
      for (const auto& [name, contracted] : others(dtype)) {
        if (options.sizes.empty()) cases.push_back(contraction_case("small", name, contracted, threads));
      }
      for (const std::int64_t n : sizes) {
        const std::string name = fmt::format("{0}x{0}x{0} from text", n);
        cases.push_back(contraction_case("small", name, square(n, dtype), threads, Door::kEinsum));
      }
    }
  }
  return cases;
}

}  // namespace trntensor::cli::bench
