// One element from each kind of type to each other.
#include "trntensor/tensor/convert_element.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace trntensor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename To>
void expect_saturates() {
  using Limits = std::numeric_limits<To>;
  const double above = std::ldexp(1.0, Limits::digits);
  const double below = std::is_signed_v<To> ? -above : 0;
  for (const double value : {above, 2 * above, 1e300, kInfinity}) {
    EXPECT_EQ(convert_element<To>(value), Limits::max()) << value;
    EXPECT_EQ(convert_element<To>(static_cast<float>(value)), Limits::max()) << value;
  }
  for (const double value : {below, 2 * below, below - 1, -1e300, -kInfinity}) {
    EXPECT_EQ(convert_element<To>(value), Limits::min()) << value;
  }
  EXPECT_EQ(convert_element<To>(kNan), To{0});
  EXPECT_EQ(convert_element<To>(std::numeric_limits<float>::quiet_NaN()), To{0});
  const double inside = std::nextafter(above, 0.0);
  EXPECT_EQ(convert_element<To>(inside), static_cast<To>(inside));
}

TEST(ConvertElement, FloatsToIntegersSaturate) {
  expect_saturates<std::int8_t>();
  expect_saturates<std::uint8_t>();
  expect_saturates<std::int16_t>();
  expect_saturates<std::uint16_t>();
  expect_saturates<std::int32_t>();
  expect_saturates<std::uint32_t>();
  expect_saturates<std::int64_t>();
  expect_saturates<std::uint64_t>();
}

TEST(ConvertElement, FloatsToIntegersTruncate) {
  EXPECT_EQ(convert_element<std::int32_t>(2.99), 2);
  EXPECT_EQ(convert_element<std::int32_t>(-2.99), -2);
  EXPECT_EQ(convert_element<std::int32_t>(-0.5F), 0);
  EXPECT_EQ(convert_element<std::uint8_t>(-0.99), 0);
  EXPECT_EQ(convert_element<std::int8_t>(-128.9), -128);
  EXPECT_EQ(convert_element<std::int8_t>(127.9), 127);
  EXPECT_EQ(convert_element<std::int16_t>(float16(-7.75)), -7);
  EXPECT_EQ(convert_element<std::uint64_t>(bfloat16(1e30)), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(convert_element<std::int8_t>(float8_e5m2(-1.75)), -1);
}

TEST(ConvertElement, IntegersWrap) {
  EXPECT_EQ(convert_element<std::int8_t>(std::int32_t{200}), -56);
  EXPECT_EQ(convert_element<std::uint8_t>(std::int16_t{-1}), 255);
  EXPECT_EQ(convert_element<std::uint64_t>(std::int8_t{-1}), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(convert_element<std::int32_t>(std::uint64_t{0x1'0000'0005}), 5);
  EXPECT_EQ(convert_element<std::int16_t>(true), 1);
}

TEST(ConvertElement, IntegersToFloatsRoundOnce) {
  const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 38);  // half way between floats
  EXPECT_EQ(convert_element<float>(tie), 0x1p62F);
  EXPECT_EQ(convert_element<float>(tie + 1), 0x1.000002p62F);
  const std::int32_t narrow_tie = (1 << 30) + (1 << 22);  // half way between bfloat16 values
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(narrow_tie)), 0x1p30F);
  EXPECT_EQ(static_cast<float>(convert_element<bfloat16>(narrow_tie + 1)), 0x1.02p30F);
  EXPECT_EQ(convert_element<double>(std::numeric_limits<std::uint64_t>::max()), 0x1p64);
}

TEST(ConvertElement, DoubleToNarrowFloatsRoundsOnce) {
  // 1 + 2^-8 is half way between bfloat16 values, and the rest is below the precision of float.
  EXPECT_EQ(static_cast<double>(convert_element<bfloat16>(1 + 0x1p-8 + 0x1p-40)), 1 + 0x1p-7);
  EXPECT_EQ(static_cast<double>(convert_element<float16>(1 + 0x1p-11 + 0x1p-40)), 1 + 0x1p-10);
  EXPECT_EQ(static_cast<double>(convert_element<float8_e4m3>(1 + 0x1p-4 + 0x1p-40)), 1 + 0x1p-3);
  EXPECT_EQ(convert_element<float>(1 + 0x1p-24 + 0x1p-50), 1 + 0x1p-23F);
}

TEST(ConvertElement, BetweenNarrowFloatsIsExactWhereItCanBe) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const auto value = float8_e5m2::from_bits(static_cast<std::uint8_t>(bits));
    const auto half = convert_element<float16>(value);
    if (std::isnan(static_cast<float>(value))) continue;
    EXPECT_EQ(half.bits, bits << 8);  // E5M2 is the upper half of binary16
    EXPECT_EQ(convert_element<float8_e5m2>(half).bits, bits);
  }
  EXPECT_EQ(static_cast<float>(convert_element<float8_e4m3fn>(bfloat16(1e9))), 448);
  EXPECT_EQ(static_cast<float>(convert_element<float16>(bfloat16(1e9))), std::numeric_limits<float>::infinity());
}

TEST(ConvertElement, ToBoolIsNotZero) {
  EXPECT_TRUE(convert_element<bool>(kNan));
  EXPECT_TRUE(convert_element<bool>(std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(convert_element<bool>(std::uint16_t{256}));
  EXPECT_FALSE(convert_element<bool>(-0.0));
  EXPECT_FALSE(convert_element<bool>(float16::from_bits(0x8000)));
  EXPECT_TRUE(convert_element<bool>(float8_e4m3::from_bits(0x01)));
  EXPECT_TRUE(convert_element<bool>(std::complex<float>(0, 1)));
  EXPECT_FALSE(convert_element<bool>(std::complex<double>(0, -0.0)));
}

TEST(ConvertElement, ComplexTakesAndLosesItsImaginaryPart) {
  EXPECT_EQ(convert_element<std::complex<float>>(std::int32_t{3}), std::complex<float>(3, 0));
  EXPECT_EQ(convert_element<std::complex<double>>(float16(0.5)), std::complex<double>(0.5, 0));
  EXPECT_EQ(convert_element<std::complex<float>>(std::complex<double>(1 + 0x1p-30, 2)), std::complex<float>(1, 2));
  EXPECT_EQ(convert_element<double>(std::complex<float>(3, 4)), 3);
  EXPECT_EQ(convert_element<std::int8_t>(std::complex<double>(-300.5, 4)), -128);
  EXPECT_EQ(static_cast<double>(convert_element<bfloat16>(std::complex<double>(1 + 0x1p-8 + 0x1p-40, 9))), 1 + 0x1p-7);
}

TEST(LoadElement, AnyByteButZeroIsTrue) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto memory = static_cast<std::uint8_t>(byte);
    EXPECT_EQ(load_element<bool>(&memory), byte != 0);
  }
}

TEST(LoadElement, AddressesMayBeUnaligned) {
  std::array<std::byte, 40> memory{};
  for (std::size_t shift = 0; shift < 16; ++shift) {
    store_element(memory.data() + shift, std::complex<double>(1.5, -2));
    EXPECT_EQ(load_element<std::complex<double>>(memory.data() + shift), std::complex<double>(1.5, -2));
    store_element(memory.data() + shift, float16(3));
    EXPECT_EQ(load_element<float16>(memory.data() + shift).bits, float16(3).bits);
  }
}

}  // namespace
}  // namespace trntensor
