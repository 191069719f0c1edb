// Sums in three numbers: what they keep, and what they make of NaN and infinities.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trntensor/host/kernels/two_sum.hpp"

namespace trntensor::host {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(TripleSum, KeepsWhatASumWithOneCorrectionLoses) {
  TripleSum triple;
  CompensatedSum compensated;
  for (const double term : {0x1p120, 0x1p60, 1.0, 0x1p-45, -0x1p120, -0x1p60, -1.0}) {
    triple.add(term);
    compensated.add(term);
  }
  EXPECT_EQ(triple.value(), 0x1p-45);
  EXPECT_NE(compensated.value(), 0x1p-45);
}

TEST(TripleSum, KeepsProductsWhole) {
  TripleSum sum;
  const double a = 1.0 + 0x1p-52;
  sum.multiply_add(a, a);  // 1 + 2^-51 + 2^-104
  sum.add(-1.0);
  sum.add(-0x1p-51);
  EXPECT_EQ(sum.value(), 0x1p-104);
}

TEST(TripleSum, ScalesOtherSumsWithAllTheirNumbers) {
  TripleSum sum;
  sum.multiply_add(3.0, TripleSum{1.0, 0x1p-60, 0x1p-120});
  sum.add(-3.0);
  sum.add(-3 * 0x1p-60);
  EXPECT_EQ(sum.value(), 3 * 0x1p-120);
}

TEST(TripleSum, IsThePlainSumWhenTheCorrectionsMeanNothing) {
  TripleSum sum;
  sum.add(kInf);
  sum.add(1.0);
  EXPECT_EQ(sum.value(), kInf);
  TripleSum scaled;
  scaled.multiply_add(-2.0, sum);
  EXPECT_EQ(scaled.value(), -kInf);
  sum.add(-kInf);
  EXPECT_TRUE(std::isnan(sum.value()));
}

TEST(TripleSum, OfNothingIsMinusZeroSoThatOneTermStaysWhatItIs) {
  TripleSum sum;
  EXPECT_TRUE(std::signbit(sum.value()));
  sum.add(-0.0);
  EXPECT_TRUE(std::signbit(sum.value()));
}

}  // namespace
}  // namespace trntensor::host
