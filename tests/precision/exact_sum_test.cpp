// Sums that are held whole: products of any exponents, rounded once.
#include "trntensor/host/exact_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "trntensor/support/random.hpp"

namespace trntensor::host {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kLeast = 0x1p-1074;

double sum_of(const std::vector<std::pair<double, double>>& products) {
  ExactSum sum;
  for (const auto& [a, b] : products) sum.add_product(a, b);
  return sum.to_double();
}

TEST(ExactSum, IsZeroWhenEmptyOrCancelled) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({{0.0, 5.0}, {-0.0, 1.0}}), 0.0);
  EXPECT_EQ(sum_of({{kMost, kMost}, {-kMost, kMost}}), 0.0);
  EXPECT_EQ(sum_of({{kLeast, kLeast}, {kLeast, -kLeast}}), 0.0);
}

TEST(ExactSum, RoundsASingleProductAsDoublesDo) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double a = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-600, 500)));
    const double b = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-600, 600)));
    ASSERT_EQ(sum_of({{a, b}}), a * b) << a << " times " << b;
  }
}

TEST(ExactSum, RoundsTiesToEvenAndSeesWhatLiesFarBelow) {
  EXPECT_EQ(sum_of({{1.0, 1.0}, {0x1p-53, 1.0}}), 1.0);
  EXPECT_EQ(sum_of({{1.0, 1.0}, {0x1p-53, 1.0}, {kLeast, kLeast}}), 1.0 + 0x1p-52);
  EXPECT_EQ(sum_of({{1.0, 1.0}, {0x1p-53, 1.0}, {kLeast, -kLeast}}), 1.0);
  EXPECT_EQ(sum_of({{1.0 + 0x1p-52, 1.0}, {0x1p-53, 1.0}}), 1.0 + 0x1p-51);
  EXPECT_EQ(sum_of({{-1.0, 1.0}, {-0x1p-53, 1.0}, {kLeast, -kLeast}}), -1.0 - 0x1p-52);
}

TEST(ExactSum, RoundsSubnormalResultsOnce) {
  EXPECT_EQ(sum_of({{kLeast, 0.5}}), 0.0);
  EXPECT_EQ(sum_of({{kLeast, 0.5}, {kLeast, kLeast}}), kLeast);
  EXPECT_EQ(sum_of({{kLeast, 1.5}}), 2 * kLeast);
  EXPECT_EQ(sum_of({{kLeast, -2.5}}), -2 * kLeast);
  EXPECT_EQ(sum_of({{0x1p-1022, 1.0 - 0x1p-53}}), 0x1p-1022) << "up to the least normal number";
  EXPECT_EQ(sum_of({{kLeast, 0x1p-60}}), 0.0);
}

TEST(ExactSum, OverflowsOnlyWhenTheResultDoes) {
  EXPECT_EQ(sum_of({{kMost, 2.0}}), kInf);
  EXPECT_EQ(sum_of({{-kMost, kMost}}), -kInf);
  EXPECT_EQ(sum_of({{kMost, 2.0}, {-kMost, 1.0}}), kMost);
  EXPECT_EQ(sum_of({{kMost, kMost}, {3.0, 1.0}, {-kMost, kMost}}), 3.0);
}

TEST(ExactSum, PassesOnCarriesOfLongSums) {
  ExactSum sum;
  for (int i = 0; i < 1000000; ++i) sum.add_product(1.0 + 0x1p-52, 0x1.fffffffffffffp+0);
  for (int i = 0; i < 1000000; ++i) sum.add_product(-1.0 - 0x1p-52, 0x1.fffffffffffffp+0);
  sum.add_product(kLeast, 1.0);
  EXPECT_EQ(sum.to_double(), kLeast);
}

TEST(ExactSum, IsTheSumOfItsPieces) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    ExactSum sum;
    for (int k = 0; k < 4; ++k) {
      sum.add_product(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-20, 20))),
                      std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-500, -480))));
    }
    ExactSum again;
    for (const ExactSum::Piece& piece : sum.pieces()) again.add_product(piece.significand, 0.75, piece.exponent);
    ExactSum scaled;
    for (const ExactSum::Piece& piece : sum.pieces()) scaled.add_product(piece.significand, -0.25, piece.exponent);
    for (const ExactSum::Piece& piece : sum.pieces()) scaled.add_product(piece.significand, 1.0, piece.exponent);
    EXPECT_EQ(again.to_double(), scaled.to_double());
    EXPECT_NE(again.to_double(), 0.0);
  }
}

}  // namespace
}  // namespace trntensor::host
