// Every pattern of the 8- and 16-bit formats, and the doubles around every boundary between two of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trntensor/support/random.hpp"
#include "trntensor/tensor/bfloat16.hpp"
#include "trntensor/tensor/float16.hpp"
#include "trntensor/tensor/float8.hpp"

namespace trntensor {
namespace {

// What each format is, independent of the code: value = mantissa * 2^(max(exponent, 1) - bias - mantissa bits).
template <typename T>
struct Facts;
template <>
struct Facts<float16> {
  static constexpr int kExponentBits = 5, kMantissaBits = 10;
  static constexpr bool kInfinity = true;
  static constexpr double kMax = 65504;
};
template <>
struct Facts<bfloat16> {
  static constexpr int kExponentBits = 8, kMantissaBits = 7;
  static constexpr bool kInfinity = true;
  static constexpr double kMax = 0x1.fep127;
};
template <>
struct Facts<float8_e4m3> {
  static constexpr int kExponentBits = 4, kMantissaBits = 3;
  static constexpr bool kInfinity = true;
  static constexpr double kMax = 240;
};
template <>
struct Facts<float8_e4m3fn> {
  static constexpr int kExponentBits = 4, kMantissaBits = 3;
  static constexpr bool kInfinity = false;
  static constexpr double kMax = 448;
};
template <>
struct Facts<float8_e5m2> {
  static constexpr int kExponentBits = 5, kMantissaBits = 2;
  static constexpr bool kInfinity = true;
  static constexpr double kMax = 57344;
};

template <typename T>
class Minifloat : public ::testing::Test {
 protected:
  using Bits = decltype(T::bits);
  static constexpr unsigned kSign = 1U << (Facts<T>::kExponentBits + Facts<T>::kMantissaBits);
  static constexpr unsigned kExponentMask = (1U << Facts<T>::kExponentBits) - 1;

  static T pattern(unsigned bits) { return T::from_bits(static_cast<Bits>(bits)); }

  static bool is_nan(unsigned magnitude) {
    if (!Facts<T>::kInfinity) return magnitude == kSign - 1;
    return magnitude > kExponentMask << Facts<T>::kMantissaBits;
  }
  static bool is_infinite(unsigned magnitude) {
    return Facts<T>::kInfinity && magnitude == kExponentMask << Facts<T>::kMantissaBits;
  }

  // The value by the definition of the format, in exact double arithmetic.
  static double expected(unsigned bits) {
    const unsigned magnitude = bits & (kSign - 1);
    const double sign = (bits & kSign) != 0 ? -1 : 1;
    if (is_nan(magnitude)) return std::numeric_limits<double>::quiet_NaN();
    if (is_infinite(magnitude)) return sign * std::numeric_limits<double>::infinity();
    const int exponent = static_cast<int>(magnitude >> Facts<T>::kMantissaBits);
    const int fraction = static_cast<int>(magnitude & ((1U << Facts<T>::kMantissaBits) - 1));
    const int significand = fraction + (exponent > 0 ? 1 << Facts<T>::kMantissaBits : 0);
    const int bias = (1 << (Facts<T>::kExponentBits - 1)) - 1;
    return sign * std::ldexp(significand, std::max(exponent, 1) - bias - Facts<T>::kMantissaBits);
  }
};

using Formats = ::testing::Types<float16, bfloat16, float8_e4m3, float8_e4m3fn, float8_e5m2>;
TYPED_TEST_SUITE(Minifloat, Formats);

TYPED_TEST(Minifloat, EveryPatternHasItsValue) {
  double largest = 0;
  for (unsigned bits = 0; bits < 2 * this->kSign; ++bits) {
    const double value = static_cast<double>(this->pattern(bits));
    const double expected = this->expected(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(static_cast<float>(this->pattern(bits)), expected) << bits;
      ASSERT_EQ(std::signbit(value), (bits & this->kSign) != 0) << bits;
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  EXPECT_EQ(largest, Facts<TypeParam>::kMax);
}

TYPED_TEST(Minifloat, EveryPatternComesBack) {
  for (unsigned bits = 0; bits < 2 * this->kSign; ++bits) {
    const TypeParam value = this->pattern(bits);
    const TypeParam from_float(static_cast<float>(value));
    const TypeParam from_double(static_cast<double>(value));
    if (std::isnan(static_cast<float>(value))) {
      ASSERT_TRUE(std::isnan(static_cast<float>(from_float))) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(from_double))) << bits;
      ASSERT_EQ(from_float.bits & this->kSign, bits & this->kSign) << bits;
    } else {
      ASSERT_EQ(from_float.bits, bits);
      ASSERT_EQ(from_double.bits, bits);
    }
  }
}

// Between each two neighbours: the middle goes to the even one, the doubles beside the middle to the nearer one. The
// middles of all formats are floats too, so that both ways in are checked; the doubles beside them are not, so a
// conversion through float would round them twice.
TYPED_TEST(Minifloat, RoundsOnceToNearestEven) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (unsigned bits = 0; this->expected(bits) < Facts<TypeParam>::kMax; ++bits) {
    const double middle = (this->expected(bits) + this->expected(bits + 1)) / 2;
    const unsigned even = bits + (bits & 1U);
    for (const unsigned sign : {0U, this->kSign}) {
      const double s = sign == 0 ? 1 : -1;
      ASSERT_EQ(TypeParam(s * middle).bits, even | sign) << middle;
      ASSERT_EQ(TypeParam(static_cast<float>(s * middle)).bits, even | sign) << middle;
      ASSERT_EQ(TypeParam(s * std::nextafter(middle, 0.0)).bits, bits | sign) << middle;
      ASSERT_EQ(TypeParam(s * std::nextafter(middle, infinity)).bits, (bits + 1) | sign) << middle;
      const auto middle_float = static_cast<float>(middle);
      ASSERT_EQ(TypeParam(static_cast<float>(s) * std::nextafter(middle_float, 0.0F)).bits, bits | sign) << middle;
      ASSERT_EQ(
          TypeParam(static_cast<float>(s) * std::nextafter(middle_float, std::numeric_limits<float>::infinity())).bits,
          (bits + 1) | sign)
          << middle;
    }
  }
}

TYPED_TEST(Minifloat, OverflowsAsTheFormatSays) {
  using F = Facts<TypeParam>;
  const double infinity = std::numeric_limits<double>::infinity();
  const double beyond = F::kInfinity ? infinity : F::kMax;
  // Half a last place above the largest value: the tie goes to the even neighbour, which would be beyond, except for
  // E4M3FN whose largest mantissa is even.
  const int top = std::ilogb(F::kMax);
  const double middle = F::kMax + std::ldexp(1.0, top - F::kMantissaBits - 1);
  EXPECT_EQ(static_cast<double>(TypeParam(std::nextafter(middle, 0.0))), F::kMax);
  EXPECT_EQ(static_cast<double>(TypeParam(middle)), beyond);
  for (const double value : {2 * middle, 1e300, std::numeric_limits<double>::max(), infinity}) {
    EXPECT_EQ(static_cast<double>(TypeParam(value)), beyond) << value;
    EXPECT_EQ(static_cast<double>(TypeParam(-value)), -beyond) << value;
    EXPECT_EQ(static_cast<double>(TypeParam(static_cast<float>(std::min(value, 1e38)) * 10)), beyond) << value;
  }
}

TYPED_TEST(Minifloat, TinyValuesBecomeSignedZero) {
  for (const double value : {0.0, 1e-300, std::numeric_limits<double>::denorm_min(), 1e-45}) {
    EXPECT_EQ(TypeParam(value).bits, 0U) << value;
    EXPECT_EQ(TypeParam(-value).bits, this->kSign) << value;
  }
}

TYPED_TEST(Minifloat, NanStaysNanOfEitherSign) {
  for (const double nan : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::signaling_NaN()}) {
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(nan))));
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(-nan))));
    EXPECT_EQ(TypeParam(std::copysign(nan, -1.0)).bits & this->kSign, this->kSign);
  }
  // A float NaN whose payload lies below the narrow mantissa must not turn into an infinity.
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(std::bit_cast<float>(0x7f800001U)))));
}

// The nearest pattern by exhaustive search over the neighbours of a guess, for random doubles of all sizes.
TYPED_TEST(Minifloat, RandomDoublesGoToTheNearestValue) {
  constexpr std::uint64_t kSeed = 71;
  Random random(kSeed);
  for (int i = 0; i < 200'000; ++i) {
    const double value = std::ldexp(random.uniform(1, 2), static_cast<int>(random.integer(-160, 140)));
    const TypeParam narrow(value);
    const double result = static_cast<double>(narrow);
    if (!std::isfinite(result) || result == Facts<TypeParam>::kMax) continue;
    const double distance = std::abs(result - value);
    const double above = this->expected(narrow.bits + 1U);
    ASSERT_LE(distance, above - value) << "seed " << kSeed << ", value " << value;
    if (narrow.bits > 0) {
      const double below = this->expected(narrow.bits - 1U);
      ASSERT_LE(distance, value - below) << "seed " << kSeed << ", value " << value;
    }
  }
}

TYPED_TEST(Minifloat, SmallIntegersAreExact) {
  EXPECT_EQ(static_cast<double>(TypeParam(3)), 3);
  EXPECT_EQ(static_cast<double>(TypeParam(-1)), -1);
  EXPECT_EQ(static_cast<double>(TypeParam(0U)), 0);
  EXPECT_EQ(static_cast<double>(TypeParam(true)), 1);
  EXPECT_EQ(TypeParam(0).bits, 0U);
}

TEST(MinifloatIntegers, WideIntegersDoNotRoundThroughDouble) {
  // 2^62 + 2^54 is half way between two bfloat16 values; the last bit tips it up but is lost in a double.
  const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  const double low = 0x1p62;
  const double high = 0x1.02p62;
  EXPECT_EQ(static_cast<double>(bfloat16(tie)), low);
  EXPECT_EQ(static_cast<double>(bfloat16(tie + 1)), high);
  EXPECT_EQ(static_cast<double>(bfloat16(tie - 1)), low);
  EXPECT_EQ(static_cast<double>(bfloat16(-tie - 1)), -high);
  EXPECT_EQ(static_cast<double>(bfloat16(static_cast<std::uint64_t>(tie) + 1)), high);
  EXPECT_EQ(static_cast<double>(bfloat16(std::numeric_limits<std::int64_t>::min())), -0x1p63);
  EXPECT_EQ(static_cast<double>(bfloat16(std::numeric_limits<std::uint64_t>::max())), 0x1p64);
  EXPECT_EQ(static_cast<double>(float16(std::numeric_limits<std::int64_t>::max())),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(static_cast<double>(float8_e4m3fn(std::numeric_limits<std::int64_t>::min())), -448);
}

TEST(MinifloatIntegers, ConversionsAreConstantExpressions) {
  static_assert(float16(1.5).bits == 0x3e00);
  static_assert(bfloat16(-2.0F).bits == 0xc000);
  static_assert(static_cast<float>(float8_e5m2(57344.0)) == 57344.0F);
  static_assert(float8_e4m3fn(1000).bits == 0x7e);
}

}  // namespace
}  // namespace trntensor
