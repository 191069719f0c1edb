// Dot products that cancel almost entirely, in precision dd.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/precision/random_numbers.hpp"
#include "tests/precision/wide_oracle.hpp"

namespace trntensor {
namespace {

using testing::dd_holds_its_bound;
using testing::WideNumber;

struct Dot {
  std::vector<double> x;
  std::vector<double> y;
};

double random_digits(Random& random, double exponent) {
  return std::ldexp(random.uniform(-1, 1), static_cast<int>(std::round(exponent)));
}

/// A dot product of a condition number near `condition`: T. Ogita, S. M. Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005)
/// 1955, algorithm 6.1: half of the terms of growing size, then terms that make the sum smaller and smaller.
Dot ill_conditioned_dot(std::size_t n, double condition, Random& random) {
  Dot dot;
  const double bits = std::log2(condition);
  WideNumber sum;
  const auto push = [&](double x, double y) {
    dot.x.push_back(x);
    dot.y.push_back(y);
    sum += WideNumber(x) * WideNumber(y);
  };
  for (std::size_t i = 0; i < n / 2; ++i) {
    const double exponent = i == 0 ? bits / 2 : i + 1 == n / 2 ? 0 : random.uniform(0, bits / 2);
    push(random_digits(random, exponent), random_digits(random, exponent));
  }
  for (std::size_t i = n / 2; i < n; ++i) {
    const double exponent = bits / 2 * static_cast<double>(n - 1 - i) / static_cast<double>(n - n / 2 - 1);
    const double x = random_digits(random, exponent) + std::ldexp(0x1p-60, static_cast<int>(exponent));  // not 0
    push(x, ((WideNumber(random_digits(random, exponent)) - sum) / WideNumber(x)).to_double());
  }
  for (std::size_t i = n; i > 1; --i) {
    const auto j = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1));
    std::swap(dot.x[i - 1], dot.x[j]);
    std::swap(dot.y[i - 1], dot.y[j]);
  }
  return dot;
}

/// 2 |x|'|y| / |x'y|.
double condition_of(const Tensor& x, const Tensor& y) {
  const testing::WidePart sum = testing::wide_elements("i,i->", {x, y}, {}, {0})[0].re;
  return (WideNumber(2.0) * sum.magnitude / sum.value.abs()).to_double();
}

Tensor vector(const std::vector<double>& values) {
  return Tensor::from_values<double>({static_cast<std::int64_t>(values.size())}, values);
}

class IllConditioned : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(DoubleDouble, IllConditioned, ::testing::Values(1e20, 1e30),
                         [](const auto& condition) { return condition.param < 1e25 ? "1e20" : "1e30"; });

TEST_P(IllConditioned, DotsHoldTheBound) {
  const double condition = GetParam();
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Dot dot = ill_conditioned_dot(static_cast<std::size_t>(20 + 37 * seed), condition, random);
    const Tensor x = vector(dot.x);
    const Tensor y = vector(dot.y);
    EXPECT_GT(condition_of(x, y), condition / 1000) << seed;
    EXPECT_TRUE(dd_holds_its_bound("i,i->", {x, y})) << seed;
    // What is left of a condition number of 1e20 is right to all digits but the last.
    const double exact = testing::wide_elements("i,i->", {x, y}, {}, {0})[0].re.value.to_double();
    const double result = einsum("i,i->", {x, y}, {.precision = Precision::kDoubleDouble}).item<double>();
    const double bound = 0x1p-53 + 0x1p-101 * condition_of(x, y);
    EXPECT_LE(std::abs(result - exact), bound * std::abs(exact)) << seed;
  }
}

TEST_P(IllConditioned, MatrixProductsHoldTheBound) {
  constexpr std::int64_t kRows = 5;
  constexpr std::int64_t kColumns = 9;
  constexpr std::int64_t kTerms = 300;
  Random random(7);
  const Tensor a = Tensor::zeros({kRows, kTerms}, DType::kFloat64);
  const Tensor b = Tensor::zeros({kTerms, kColumns}, DType::kFloat64);
  // Element (i, i) is ill-conditioned, the others are not.
  for (std::int64_t i = 0; i < kRows; ++i) {
    const Dot dot = ill_conditioned_dot(kTerms, GetParam(), random);
    for (std::int64_t p = 0; p < kTerms; ++p) {
      const auto at = static_cast<std::size_t>(p);
      store_element(testing::detail::address_of(Tensor(a).mutable_view(), i * kTerms + p), dot.x[at]);
      store_element(testing::detail::address_of(Tensor(b).mutable_view(), p * kColumns + i), dot.y[at]);
    }
  }
  EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b}));
}

TEST(IllConditionedDots, NeedMoreThanKahan) {
  Random random(1);
  const Dot dot = ill_conditioned_dot(200, 1e40, random);
  const Tensor x = vector(dot.x);
  const Tensor y = vector(dot.y);
  const double exact = testing::wide_elements("i,i->", {x, y}, {}, {0})[0].re.value.to_double();
  const double kahan = einsum("i,i->", {x, y}, {.precision = Precision::kKahan}).item<double>();
  EXPECT_GT(std::abs(kahan - exact), std::abs(exact) / 2) << "no digit is right: the test sees what dd is for";
}

}  // namespace
}  // namespace trntensor
