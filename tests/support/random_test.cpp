// The generator: the published stream, ranges, and that it is the same everywhere.
#include "trntensor/support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trntensor {
namespace {

TEST(Random, GivesThePublishedStreamOfSplitmix64) {
  // First numbers of the reference implementation (Vigna, splitmix64.c) for the seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random(), 6457827717110365317ULL);
  EXPECT_EQ(random(), 3203168211198807973ULL);
  EXPECT_EQ(random(), 9817491932198370423ULL);
}

TEST(Random, SameSeedSameNumbers) {
  Random a(5);
  Random b(5);
  Random c(6);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto value = a();
    EXPECT_EQ(value, b());
    differs |= value != c();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, UniformStaysInRangeAndFillsIt) {
  Random random(1);
  double sum = 0;
  double low = 1;
  double high = 0;
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Five standard deviations of the mean of uniform numbers: 5 / sqrt(12 n).
  EXPECT_NEAR(sum / kCount, 0.5, 5 / std::sqrt(12.0 * kCount));
  EXPECT_LT(low, 1e-3);
  EXPECT_GT(high, 1 - 1e-3);
  EXPECT_GE(random.uniform(-2, 3), -2);
}

TEST(Random, IntegersReachBothEnds) {
  Random random(2);
  std::array<int, 5> counts{};
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t value = random.integer(-2, 2);
    ASSERT_GE(value, -2);
    ASSERT_LE(value, 2);
    ++counts[static_cast<std::size_t>(value + 2)];
  }
  for (const int count : counts) EXPECT_GT(count, 800);
  EXPECT_EQ(random.integer(7, 7), 7);
}

TEST(Random, IntegersTakeTheWholeRange) {
  using Limits = std::numeric_limits<std::int64_t>;
  Random random(3);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) negative += random.integer(Limits::min(), Limits::max()) < 0 ? 1 : 0;
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
  EXPECT_LE(random.integer(Limits::min(), Limits::min() + 1), Limits::min() + 1);
}

}  // namespace
}  // namespace trntensor
