#include <fmt/format.h>

#include "cli/bench/contraction_case.hpp"
#include "cli/bench/suites.hpp"

namespace trntensor::cli::bench {
namespace {

struct Shape3 {
  std::int64_t m, n, k;
};

constexpr const char* kPlain = "nn";

/// "nt": A as it is, B lies in memory as its transpose.
Contracted product(const Shape3& shape, const std::string& transposes, DType dtype) {
  const std::string a = transposes[0] == 'n' ? "mk" : "km";
  const std::string b = transposes[1] == 'n' ? "kn" : "nk";
  return {a, b, "mn", {{'m', shape.m}, {'n', shape.n}, {'k', shape.k}}, dtype};
}

struct Product {
  Shape3 shape;
  std::string transposes;
};

std::vector<Product> products(const SuiteOptions& options) {
  std::vector<Product> list;
  const auto add_square = [&](std::int64_t n, std::initializer_list<const char*> all) {
    for (const char* transposes : all) list.push_back({{n, n, n}, transposes});
  };
  if (!options.sizes.empty()) {
    for (const Extents& size : options.sizes) add_square(size[0], {kPlain, "nt", "tn", "tt"});
    return list;
  }
  for (const std::int64_t n : {64, 96, 128, 192, 256, 384}) add_square(n, {kPlain});
  for (const std::int64_t n : {512, 1024}) add_square(n, {kPlain, "nt", "tn", "tt"});
  for (const std::int64_t n : {2048, 4096}) add_square(n, {kPlain});
  for (const std::int64_t n : {1024, 4096}) {
    const std::int64_t thin = n / 64;
    for (const Shape3& shape : {Shape3{thin, n, n}, Shape3{n, thin, n}, Shape3{n, n, thin}, Shape3{thin, thin, n},
                                Shape3{thin, n, thin}, Shape3{n, thin, thin}})
      list.push_back({shape, kPlain});
  }
  return list;
}

}  // namespace

std::vector<Case> gemm_cases(const SuiteOptions& options) {
  std::vector<Case> cases;
  for (const int threads : options.threads) {
    for (const DType dtype : options.dtypes) {
      for (const auto& [shape, transposes] : products(options)) {
        const std::string name = fmt::format("{}x{}x{} {}", shape.m, shape.n, shape.k, transposes);
        cases.push_back(contraction_case("gemm", name, product(shape, transposes, dtype), threads));
      }
    }
  }
  return cases;
}

}  // namespace trntensor::cli::bench
