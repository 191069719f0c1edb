// Arithmetic on pairs of long double against exact whole numbers.
#include "trntensor/reference/doubled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trntensor/support/random.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

__extension__ using Wide = __int128;

Doubled from(Wide value) {
  const auto high = static_cast<long double>(value);
  return {high, static_cast<long double>(value - static_cast<Wide>(high))};
}

Wide whole(Doubled x) { return static_cast<Wide>(x.high) + static_cast<Wide>(x.low); }

Wide random_wide(Random& random, int bits) {
  const Wide value = (static_cast<Wide>(random()) << 64 | static_cast<Wide>(random())) >> (128 - bits);
  return value;
}

TEST(Doubled, SumsOf120BitsAreExact) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const Wide a = random_wide(random, 120);
    const Wide b = random_wide(random, static_cast<int>(random.integer(10, 120)));
    ASSERT_TRUE(whole(add(from(a), from(b))) == a + b) << "round " << i << " of seed 1";
  }
}

TEST(Doubled, ProductsOf63BitsAreExact) {
  Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const auto a = static_cast<std::int64_t>(random_wide(random, 63));
    const auto b = static_cast<std::int64_t>(random_wide(random, 63));
    const Doubled product = multiply({static_cast<long double>(a), 0}, static_cast<long double>(b));
    ASSERT_TRUE(whole(product) == static_cast<Wide>(a) * b) << a << " * " << b;
  }
}

TEST(Doubled, ALongProductKeepsBothHalves) {
  // (2^40 + 1)^3 has 121 bits.
  const long double factor = 0x1p40L + 1;
  const Doubled cube = multiply(multiply({factor, 0}, factor), factor);
  const Wide exact = (static_cast<Wide>(1) << 40) + 1;
  EXPECT_TRUE(whole(cube) == exact * exact * exact);
}

TEST(Doubled, InfinitiesAndNanPassThrough) {
  EXPECT_EQ(add({kInfinity, 0}, {1, 0}).high, kInfinity);
  EXPECT_EQ(add({kInfinity, 0}, {1, 0}).low, 0);
  EXPECT_TRUE(std::isnan(add({kInfinity, 0}, {-kInfinity, 0}).high));
  EXPECT_TRUE(std::isnan(multiply({kInfinity, 0}, 0).high));
  EXPECT_EQ(multiply({2, 1e-30L}, -kInfinity).high, -kInfinity);
  EXPECT_EQ(to_nearest({kInfinity, 0}), kInfinity);
  EXPECT_EQ(to_odd({-kInfinity, 0}), -kInfinity);
}

TEST(Doubled, RoundsOnceToDouble) {
  // Half a unit above 1 is a tie: to even. The smallest excess or lack, 2^-110, must decide it.
  EXPECT_EQ(to_nearest({1 + 0x1p-53L, 0}), 1.0);
  EXPECT_EQ(to_nearest({1 + 0x1p-53L, 0x1p-110L}), 1 + 0x1p-52);
  EXPECT_EQ(to_nearest({1 + 0x1p-53L, -0x1p-110L}), 1.0);
  EXPECT_EQ(to_nearest({1 + 0x1.8p-52L, -0x1p-110L}), 1 + 0x1p-52);
  EXPECT_EQ(to_nearest({-1 - 0x1p-53L, -0x1p-110L}), -1 - 0x1p-52);
  EXPECT_EQ(to_nearest({1, -0x1p-110L}), 1.0);
}

TEST(Doubled, RoundsOnceToNarrowTypes) {
  const auto to_float = [](Doubled x) { return convert_element<float>(to_odd(x)); };
  EXPECT_EQ(to_float({1 + 0x1p-24L, 0}), 1.0F);
  EXPECT_EQ(to_float({1 + 0x1p-24L, 0x1p-110L}), 1 + 0x1p-23F);
  EXPECT_EQ(to_float({1 + 0x1p-24L + 0x1p-60L, 0}), 1 + 0x1p-23F);
  EXPECT_EQ(to_float({1 + 0x1p-24L, -0x1p-110L}), 1.0F);
  const auto to_half = [](Doubled x) { return static_cast<float>(convert_element<float16>(to_odd(x))); };
  EXPECT_EQ(to_half({1 + 0x1p-11L, 0}), 1.0F);
  EXPECT_EQ(to_half({1 + 0x1p-11L, 0x1p-110L}), 1 + 0x1p-10F);
  EXPECT_EQ(to_half({1e300L * 1e300L, 0}), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace trntensor::reference
