// NaN and infinities through contractions, and the rule by which the random tests judge them.
#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "tests/common/matches.hpp"
#include "tests/common/random_spec.hpp"
#include "tests/common/random_tensor.hpp"
#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

using testing::ExpectedParts;
using testing::matches_reference;
using testing::NumberClass;
using C = std::complex<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor vector(const std::vector<double>& values) {
  return Tensor::from_values<double>({static_cast<std::int64_t>(values.size())}, values);
}

std::vector<ExpectedParts> parts_of(const std::string& subscripts, const std::vector<Tensor>& operands,
                                    DType compute = DType::kFloat64, const reference::ReferenceOptions& options = {}) {
  std::vector<Shape> shapes;
  for (const Tensor& operand : operands) shapes.push_back(operand.shape());
  const std::vector<TensorView> views(operands.begin(), operands.end());
  return testing::expected_parts(parse_spec(subscripts, shapes), views, compute, compute, options);
}

// Labels of one operand only are summed there first, in twice the digits; what rounding took from such a sum is 0 here
// and must not meet the infinity of the other operand.
TEST(SpecialValues, LoneLabelSumsMeetInfinitiesOfTheOtherOperandInKahan) {
  const EinsumOptions kahan{.precision = Precision::kKahan};
  const Tensor ones = vector({1, 1});
  const Tensor matrix = Tensor::from_values<double>({2, 2}, {1, 2, 3, 4});
  for (const double inf : {kInf, -kInf}) {
    const Tensor b = vector({inf, 1});
    const Tensor b_matrix = Tensor::from_values<double>({2, 2}, {inf, 1, 1, 1});
    testing::expect_values(einsum("i,j->j", {ones, b}, kahan), {2}, {inf, 2});
    testing::expect_values(einsum("j,i->j", {b, ones}, kahan), {2}, {inf, 2});
    testing::expect_values(einsum("ik,jl->ij", {matrix, b_matrix}, kahan), {2, 2}, {inf, 6, inf, 14});
    testing::expect_values(einsum("ik,jl->ij", {b_matrix, matrix}, kahan), {2, 2}, {inf, inf, 6, 14});
    testing::expect_values(einsum("k,l->", {ones, b}, kahan), {}, {inf});
    testing::expect_values(einsum("k,l->", {b, ones}, kahan), {}, {inf});
    testing::expect_values(einsum("k,l->", {b, b}, kahan), {}, {kInf});
  }
}

TEST(SpecialValues, ComplexLoneLabelSumsMeetInfinitiesOfTheOtherOperandInKahan) {
  const EinsumOptions kahan{.precision = Precision::kKahan};
  const Tensor a = Tensor::full({2, 2}, C{1, 1}, DType::kComplex128);
  for (const double inf : {kInf, -kInf}) {
    // (2 + 2i) (inf + i) = (2 inf - 2) + (2 + 2 inf) i and (2 + 2i) (1 + i) = 4i.
    const Tensor b = Tensor::from_values<C>({2, 2}, {{inf, 1}, {0, 0}, {1, 1}, {0, 0}});
    const C infinite{inf, inf};
    EXPECT_EQ(einsum("i,j->j", {a.select(0, 0), b.select(1, 0)}, kahan).to_vector<C>(),
              (std::vector<C>{infinite, {0, 4}}));
    EXPECT_EQ(einsum("ik,jl->ij", {a, b}, kahan).to_vector<C>(), (std::vector<C>{infinite, {0, 4}, infinite, {0, 4}}));
    EXPECT_EQ(einsum("k,l->", {a.select(0, 0), b.select(1, 0)}, kahan).item<C>(), infinite);
    EXPECT_EQ(einsum("k,l->", {b.select(1, 0), a.select(0, 0)}, kahan).item<C>(), infinite);
  }
}

TEST(SpecialValues, PartsOfAComplexSumAreApart) {
  const Tensor a = Tensor::from_values<C>({2}, {{kInf, 1}, {2, 3}});
  for (const Precision precision : {Precision::kFast, Precision::kKahan}) {
    EXPECT_EQ(einsum("i->", {a}, {.precision = precision}).item<C>(), (C{kInf, 4}));
    EXPECT_EQ(einsum("i->", {a}, {.alpha = -2.0, .precision = precision}).item<C>(), (C{-kInf, -8}));
  }
}

TEST(ExpectedClass, IsTheSameInEveryOrderOfASum) {
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    return parts_of("i,i->", {vector(a), vector(b)})[0][0].kind;
  };
  EXPECT_EQ(dot({kInf, 1, 2}, {3, 4, -5}), NumberClass::kPlusInfinity);
  EXPECT_EQ(dot({kInf, -kInf}, {-3, 4}), NumberClass::kMinusInfinity);
  EXPECT_EQ(dot({kInf, kInf}, {-3, 4}), NumberClass::kNan);
  EXPECT_EQ(dot({kInf, 1}, {0, 4}), NumberClass::kNan);
  EXPECT_EQ(dot({kNan, kInf}, {1, 4}), NumberClass::kNan);
  EXPECT_EQ(dot({3, 1}, {2, 4}), NumberClass::kFinite);
  EXPECT_EQ(dot({1e308, 1e308, kInf}, {-1, -1, 1}), NumberClass::kNanOrInfinity) << "-2e308 may come first";
}

TEST(ExpectedClass, OfSumsThatMayBeFactoredLeavesNanOrInfinityOpen) {
  const auto product_of_sums = [](const std::vector<double>& a, const std::vector<double>& b) {
    return parts_of("i,j->", {vector(a), vector(b)})[0][0].kind;
  };
  EXPECT_EQ(product_of_sums({0, 1}, {kInf}), NumberClass::kNanOrInfinity) << "(0 + 1) inf";
  EXPECT_EQ(product_of_sums({1, 1}, {kInf, -kInf}), NumberClass::kNanOrInfinity);
  EXPECT_EQ(product_of_sums({0}, {kInf}), NumberClass::kNan) << "nothing is summed";
  EXPECT_EQ(product_of_sums({1, 2}, {kInf, 1}), NumberClass::kPlusInfinity);
  EXPECT_EQ(product_of_sums({1, 2}, {kNan, 1}), NumberClass::kNan);
}

TEST(ExpectedClass, OfComplexNumbersIsThatOfFourRealProducts) {
  const auto product = [](C a, C b) {
    const auto parts =
        parts_of("i,i->i", {Tensor::from_values<C>({1}, {a}), Tensor::from_values<C>({1}, {b})}, DType::kComplex128)[0];
    return std::pair{parts[0].kind, parts[1].kind};
  };
  EXPECT_EQ(product({kInf, 1}, {2, 3}), (std::pair{NumberClass::kPlusInfinity, NumberClass::kPlusInfinity}));
  EXPECT_EQ(product({1, kInf}, {2, 3}), (std::pair{NumberClass::kMinusInfinity, NumberClass::kPlusInfinity}));
  EXPECT_EQ(product({kInf, 1}, {2, 0}), (std::pair{NumberClass::kPlusInfinity, NumberClass::kNan}));
  const auto sum =
      parts_of("i->", {Tensor::from_values<C>({2}, {{kInf, 1}, {2, 3}})}, DType::kComplex128, {.alpha = -2.0})[0];
  EXPECT_EQ(sum[0].kind, NumberClass::kMinusInfinity);
  EXPECT_EQ(sum[1].kind, NumberClass::kFinite);
  EXPECT_EQ(sum[1].value, -8);
  EXPECT_EQ(sum[1].magnitude, 8);
}

TEST(ExpectedClass, RefusesNanInPlaceOfAnInfinity) {
  const Spec spec = parse_spec("i->", std::vector<Shape>{{2}});
  const Tensor a = vector({kInf, 1});
  const std::vector<TensorView> operands{a};
  const auto is_taken = [&](double value, DType output) {
    const Tensor actual = Tensor::full({}, value, output);
    return static_cast<bool>(
        matches_reference(actual, spec, operands, DType::kFloat64, DType::kFloat64, {.output_dtype = output}));
  };
  for (const DType output : {DType::kFloat64, DType::kFloat16, DType::kFloat8E4M3, DType::kFloat8E4M3FN}) {
    EXPECT_TRUE(is_taken(kInf, output)) << to_string(output) << ": saturates where there is no infinity";
    for (const double wrong : {-kInf, kNan, 1.0}) EXPECT_FALSE(is_taken(wrong, output)) << to_string(output);
  }
}

// The oracle sums in one of the orders.
TEST(ExpectedClass, IsTheOraclesOnRandomContractions) {
  std::array<int, 5> seen{};
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const testing::RandomSpec random_spec = testing::random_spec(seed, {.max_operands = 2, .max_points = 500});
    Random random(seed);
    std::vector<Tensor> operands;
    for (const Shape& shape : random_spec.shapes) {
      operands.push_back(
          testing::random_tensor(random, shape, DType::kFloat64, {.values = testing::ValueKind::kSpecials}));
    }
    const std::vector<TensorView> views(operands.begin(), operands.end());
    const Spec spec = random_spec.parse();
    const auto values = reference::einsum(spec, views).to_vector<double>();
    const auto parts = testing::expected_parts(spec, views, DType::kFloat64, DType::kFloat64, {});
    ASSERT_EQ(parts.size(), values.size());
    for (std::size_t n = 0; n < values.size(); ++n) {
      ASSERT_TRUE(testing::is_of_class(values[n], parts[n][0].kind, DType::kFloat64))
          << random_spec << " element " << n << ": " << values[n] << ", " << testing::to_string(parts[n][0].kind);
      ++seen[static_cast<std::size_t>(parts[n][0].kind)];
    }
  }
  for (const int count : seen) EXPECT_GT(count, 100) << "every class is drawn";
}

}  // namespace
}  // namespace trntensor
