// The generator: the published stream, ranges, and that it is the same everywhere.
#include "trntensor/support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "trntensor/support/philox.hpp"

namespace trntensor {
namespace {

TEST(Random, GivesThePublishedStreamOfSplitmix64) {
  // First numbers of the reference implementation (Vigna, splitmix64.c) for the seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random(), 6457827717110365317ULL);
  EXPECT_EQ(random(), 3203168211198807973ULL);
  EXPECT_EQ(random(), 9817491932198370423ULL);
}

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  // kat_vectors of Random123 1.14, "philox4x32 10".
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, WordsDependOnSeedAndNumber) {
  EXPECT_EQ(random_word(0, 0), 0xe169c58d6627e8d5U);
  EXPECT_EQ(random_word(0, 1), 0x9b00dbd8bc57ac4cU);
  constexpr std::uint64_t kHigh = std::uint64_t{1} << 40;
  EXPECT_EQ((std::set{random_word(0, 0), random_word(0, 1), random_word(0, 2), random_word(0, kHigh), random_word(1, 0),
                      random_word(kHigh, 0)}
                 .size()),
            6U);
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
