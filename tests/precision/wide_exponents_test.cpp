// Precision dd where products leave the exponents of doubles: overflow, underflow, subnormal numbers.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/precision/random_numbers.hpp"
#include "tests/precision/wide_oracle.hpp"

namespace trntensor {
namespace {

using testing::dd_holds_its_bound;
using testing::spread_tensor;

TEST(WideExponents, HoldTheBoundWhateverTheSpread) {
  for (const int spread : {200, 480, 520, 800, 1000, 1074}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      Random random(seed);
      const DType dtype = seed % 2 == 0 ? DType::kFloat64 : DType::kComplex128;
      const Tensor a = spread_tensor(random, {6, 40}, dtype, spread);
      const Tensor b = spread_tensor(random, {40, 7}, dtype, spread);
      EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b})) << spread << " seed " << seed;
      EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b}, {.alpha = 0x1.8p-500})) << spread << " seed " << seed;
      EXPECT_TRUE(dd_holds_its_bound("ij->i", {a}, {.alpha = 1.0 / 3})) << spread << " seed " << seed;
      EXPECT_TRUE(dd_holds_its_bound("ij,ij->i", {a, a})) << spread << " seed " << seed;
      const Tensor out = spread_tensor(random, {6, 7}, dtype, spread, {.writable = true});
      EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b}, {.alpha = 3.3, .beta = 0.3, .out = out}))
          << spread << " seed " << seed;
    }
  }
}

TEST(WideExponents, HoldTheBoundOfSmallElementsBesideLargeOnes) {
  // Rows of A and columns of B of very different scales: the bound is each element's own.
  Random random(3);
  Tensor a = spread_tensor(random, {12, 30}, DType::kFloat64, 5);
  Tensor b = spread_tensor(random, {30, 12}, DType::kFloat64, 5);
  for (std::int64_t i = 0; i < 12; ++i) {
    for (std::int64_t j = 0; j < 30; ++j) {
      std::byte* at = testing::detail::address_of(a.mutable_view(), i * 30 + j);
      store_element(at, std::ldexp(load_element<double>(at), static_cast<int>(-90 * i)));
      at = testing::detail::address_of(b.mutable_view(), j * 12 + i);
      store_element(at, std::ldexp(load_element<double>(at), static_cast<int>(80 * i - 480)));
    }
  }
  EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b}));
}

TEST(WideExponents, SumsThatOverflowOnTheWayAreFinite) {
  const Tensor a = Tensor::from_values<double>({4}, {0x1p1000, 1.0, -0x1p1000, 0x1p-1074});
  const Tensor b = Tensor::from_values<double>({4}, {0x1p900, 3.0, 0x1p900, 0x1p-1074});
  const EinsumOptions dd{.precision = Precision::kDoubleDouble};
  EXPECT_EQ(einsum("i,i->", {a, b}, dd).item<double>(), 3.0);
  EXPECT_EQ(einsum("i,i->", {a, b}, {.alpha = 0x1p-1074, .precision = Precision::kDoubleDouble}).item<double>(),
            3 * 0x1p-1074);
  EXPECT_EQ(einsum("i,i->", {a.slice(0, 0, 2), b.slice(0, 0, 2)}, dd).item<double>(),
            std::numeric_limits<double>::infinity());
}

TEST(WideExponents, ProductsOfSubnormalNumbersAreRoundedOnce) {
  // 2^33 terms of 2^-1107 would make 2^-1074; eight of 2^-1077 do.
  const Tensor a = Tensor::full({8}, 0x1p-1000, DType::kFloat64);
  const Tensor b = Tensor::full({8}, 0x1p-77, DType::kFloat64);
  const EinsumOptions dd{.precision = Precision::kDoubleDouble};
  EXPECT_EQ(einsum("i,i->", {a, b}, dd).item<double>(), 0x1p-1074);
  EXPECT_EQ(einsum("i,i->", {a.slice(0, 0, 4), b.slice(0, 0, 4)}, dd).item<double>(), 0.0) << "a tie goes to even";
  EXPECT_EQ(einsum("i,i->", {a.slice(0, 0, 5), b.slice(0, 0, 5)}, dd).item<double>(), 0x1p-1074);
}

TEST(WideExponents, NanAndInfinitiesDecideTheirElementsOnly) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Tensor a = Tensor::from_values<double>({2, 3}, {kInf, 1, 0x1p800, 0x1p1000, 2, -0x1p1000});
  const Tensor b = Tensor::from_values<double>({3, 2}, {0x1p1000, 0, 5, 1, 0x1p1000, 1});
  const std::vector<double> values =
      einsum("ij,jk->ik", {a, b}, {.precision = Precision::kDoubleDouble}).to_vector<double>();
  EXPECT_EQ(values[0], kInf);
  EXPECT_TRUE(std::isnan(values[1])) << "0 times infinity";
  EXPECT_EQ(values[2], 10.0);
  EXPECT_EQ(values[3], -0x1p1000);
}

}  // namespace
}  // namespace trntensor
