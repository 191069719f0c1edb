// Stochastic rounding of single numbers: neighbours only, the right odds, exact numbers, the ends of each format.
#include "trntensor/host/stochastic_rounding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/common/tolerance.hpp"
#include "trntensor/support/philox.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

const std::vector<DType> kFormats{DType::kFloat8E4M3, DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kFloat16,
                                  DType::kBFloat16,   DType::kFloat32,      DType::kFloat64};

struct Number {
  double value;
  double rest = 0.0;
};

/// Rounds the number as element `index` under `seed`.
double rounded(DType dtype, const Number& number, std::uint64_t seed, std::uint64_t index = 0) {
  std::array<std::byte, 16> memory{};
  host::StochasticRun run;
  run.values = &number.value;
  run.rests = &number.rest;
  run.out = memory.data();
  run.out_step = 8;
  run.count = 1;
  run.seed = seed;
  run.first = index;
  host::stochastic_rounding(dtype, false)(run);
  return visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
    return convert_element<double>(load_element<T>(memory.data()));
  });
}

/// The neighbours of a positive number in a format, as doubles; what follows the largest is the next power of two.
struct Neighbours {
  double below;
  double above;
};

Neighbours neighbours(DType dtype, double value) {
  const double unit = testing::epsilon(dtype);
  const double least_normal = testing::smallest(dtype) / unit;
  const int exponent = std::ilogb(std::max(value, least_normal));
  const double step = std::ldexp(unit, exponent);
  const double below = std::floor(value / step) * step;
  return {below, below + step};
}

class EachFormat : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(StochasticRounding, EachFormat, ::testing::ValuesIn(kFormats),
                         [](const auto& dtype) { return std::string(to_string(dtype.param)); });

/// Those with numbers of float64 between theirs; of float64 itself the pairs below tell.
class NarrowFormat : public EachFormat {};
INSTANTIATE_TEST_SUITE_P(StochasticRounding, NarrowFormat, ::testing::ValuesIn(kFormats.begin(), kFormats.end() - 1),
                         [](const auto& dtype) { return std::string(to_string(dtype.param)); });

TEST_P(EachFormat, NumbersOfTheFormatStayWhatTheyAre) {
  const DType dtype = GetParam();
  visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
    Random random(1);
    for (int i = 0; i < 3000; ++i) {
      const std::array<std::uint64_t, 2> bits{random(), 0};
      const T element = load_element<T>(bits.data());
      const auto value = convert_element<double>(element);
      if (std::isnan(value)) continue;
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const double got = rounded(dtype, {value}, seed);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(value)) << value;
      }
    }
  });
}

TEST_P(NarrowFormat, GoesToOneOfTheTwoNeighboursAsTheRandomWordSays) {
  const DType dtype = GetParam();
  Random random(2);
  const int lowest = std::ilogb(testing::smallest(dtype)) - 3;
  const int highest = std::ilogb(testing::largest(dtype));
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double value = std::ldexp(random.uniform(1, 2), static_cast<int>(random.integer(lowest, highest)));
    if (value >= testing::largest(dtype)) continue;
    const auto [below, above] = neighbours(dtype, value);
    // Exact: all three have few enough digits in common.
    const double fraction = (value - below) / (above - below);
    const bool up = static_cast<double>(random_word(7, i)) * 0x1p-64 < fraction;
    EXPECT_EQ(rounded(dtype, {value}, 7, i), up ? above : below) << value;
    EXPECT_EQ(rounded(dtype, {-value}, 7, i), up ? -above : -below) << value;
  }
}

TEST_P(EachFormat, TheMeanOverSeedsIsTheNumber) {
  const DType dtype = GetParam();
  constexpr int kDraws = 10000;
  const double unit = testing::epsilon(dtype);
  for (const double part : {0.5, 0.25, 0.8125}) {  // of the way from 1.5 up
    const Number number{dtype == DType::kFloat64 ? 1.5 : 1.5 + part * unit, dtype == DType::kFloat64 ? part * unit : 0};
    double ups = 0;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const double got = rounded(dtype, number, seed, 3);
      ASSERT_TRUE(got == 1.5 || got == 1.5 + unit) << got;
      ups += got > 1.5 ? 1 : 0;
    }
    EXPECT_NEAR(ups / kDraws, part, 4 * std::sqrt(part * (1 - part) / kDraws));
  }
}

TEST_P(NarrowFormat, BeyondTheLargestNumberIsThePowerOfTwoThatWouldFollow) {
  const DType dtype = GetParam();
  const double largest = testing::largest(dtype);
  const auto next = neighbours(dtype, largest).above;
  const bool saturates = dtype == DType::kFloat8E4M3FN;
  const double middle = largest + 0.25 * (next - largest);
  int overflows = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const double got = rounded(dtype, {middle}, seed);
    ASSERT_TRUE(got == largest || (!saturates && got == kInf)) << got;
    overflows += got == kInf ? 1 : 0;
    ASSERT_EQ(rounded(dtype, {-next}, seed), saturates ? -largest : -kInf);
  }
  EXPECT_NEAR(overflows, saturates ? 0 : 1000, 4 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST_P(NarrowFormat, TinyNumbersAreRoundedToZeroOrTheSmallestOne) {
  const DType dtype = GetParam();
  const double smallest = testing::smallest(dtype);
  int ups = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const double got = rounded(dtype, {-0.25 * smallest}, seed);
    ASSERT_TRUE(got == -smallest || (got == 0 && std::signbit(got))) << got;
    ups += got != 0 ? 1 : 0;
    ASSERT_EQ(rounded(dtype, {5e-324}, seed), 0.0);
  }
  EXPECT_NEAR(ups, 1000, 4 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST_P(EachFormat, NanAndInfinitiesAreWhatTheyAreToTheFormat) {
  const DType dtype = GetParam();
  const bool saturates = dtype == DType::kFloat8E4M3FN;
  EXPECT_TRUE(std::isnan(rounded(dtype, {std::nan("")}, 1)));
  EXPECT_EQ(rounded(dtype, {kInf}, 1), saturates ? 448 : kInf);
  EXPECT_EQ(rounded(dtype, {-kInf}, 1), saturates ? -448 : -kInf);
  EXPECT_TRUE(std::signbit(rounded(dtype, {-0.0}, 1)));
  EXPECT_FALSE(std::signbit(rounded(dtype, {0.0}, 1)));
}

TEST(StochasticRounding, PairsOfDoublesGoToNeighboursOfTheirSum) {
  Random random(3);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double value = std::ldexp(random.uniform(1, 2), static_cast<int>(random.integer(-900, 900)));
    const double last = std::nextafter(value, kInf) - value;
    const double fraction = std::ldexp(static_cast<double>(random.integer(-(1 << 30), 1 << 30)), -31);  // of a place
    const double word = static_cast<double>(random_word(5, i)) * 0x1p-64;
    double expected = value;
    if (fraction > 0 && word < fraction) expected = std::nextafter(value, kInf);
    if (fraction < 0 && word >= 1 + fraction) expected = std::nextafter(value, 0.0);
    EXPECT_EQ(rounded(DType::kFloat64, {value, fraction * last}, 5, i), expected) << value << " + " << fraction;
    EXPECT_EQ(rounded(DType::kFloat64, {-value, -fraction * last}, 5, i), -expected) << value << " + " << fraction;
  }
}

TEST(StochasticRounding, BelowAPowerOfTwoThePlacesAreHalfAsWide) {
  int downs = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const double got = rounded(DType::kFloat64, {1.0, -0x1p-55}, seed);  // a quarter of the place below 1
    ASSERT_TRUE(got == 1.0 || got == 1 - 0x1p-53) << got;
    downs += got < 1 ? 1 : 0;
    const double narrow = rounded(DType::kFloat32, {1.0, -0x1p-70}, seed);
    ASSERT_TRUE(narrow == 1.0 || narrow == 1 - 0x1p-24) << narrow;
  }
  EXPECT_NEAR(downs, 1000, 4 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST(StochasticRounding, TheLargestDoubleOverflowsByItsRest) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  int overflows = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const double got = rounded(DType::kFloat64, {kLargest, 0x1p969}, seed);  // a quarter of its place
    ASSERT_TRUE(got == kLargest || got == kInf) << got;
    overflows += got == kInf ? 1 : 0;
  }
  EXPECT_NEAR(overflows, 1000, 4 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST(StochasticRounding, OldElementsAreAddedBeforeTheRounding) {
  const std::array<double, 2> values{1.0, 2.0};  // 1 + 2i
  const std::array<double, 2> old{0x1p-30, 0.0};
  std::array<float, 2> result{};
  host::StochasticRun run;
  run.values = values.data();
  run.old = reinterpret_cast<const std::byte*>(old.data());
  run.beta = {0.0, 1.0};  // adds i 2^-30: nothing to the real part
  run.out = reinterpret_cast<std::byte*>(result.data());
  run.out_step = 8;
  run.count = 1;
  int ups = 0;
  constexpr int kDraws = 20000;
  for (run.seed = 0; run.seed < kDraws; ++run.seed) {
    host::stochastic_rounding(DType::kComplex64, true)(run);
    ASSERT_EQ(result[0], 1.0F);
    ASSERT_TRUE(result[1] == 2.0F || result[1] == 2.0F + 0x1p-22F) << result[1];
    ups += result[1] > 2.0F ? 1 : 0;
  }
  constexpr double kPart = 0x1p-8;
  EXPECT_NEAR(ups, kDraws * kPart, 4 * std::sqrt(kDraws * kPart * (1 - kPart)));
}

}  // namespace
}  // namespace trntensor
