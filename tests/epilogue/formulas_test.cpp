// Formulas as users write them, beside loops that hold everything.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/common/random_tensor.hpp"
#include "tests/epilogue/oracle.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::exp;
using epilogue::max;
using epilogue::sqrt;
using epilogue::sum;
using epilogue::tensor;
using testing::EpilogueOracle;
using testing::random_tensor;

/// A call with one expression, and how far each element may be from the loops', relative to the largest.
struct Formula {
  std::string subscripts;
  std::vector<Tensor> operands;
  Expression expression;
  std::vector<NamedView> tensors;
};

void expect_right(const Formula& formula, double tolerance, const EpilogueOptions& options = {}) {
  const std::vector<TensorView> views(formula.operands.begin(), formula.operands.end());
  std::vector<Shape> shapes;
  for (const TensorView& view : views) shapes.push_back(view.shape());
  const Tensor expected =
      EpilogueOracle(parse_spec(formula.subscripts, shapes), views, formula.tensors).evaluate(formula.expression);
  const Tensor actual = einsum_with_epilogue(formula.subscripts, views, formula.expression, formula.tensors, options);
  ASSERT_EQ(actual.shape(), expected.shape()) << formula.expression.to_string();
  const auto got = actual.to_vector<double>();
  const auto wanted = expected.to_vector<double>();
  double scale = 0;
  for (const double value : wanted) scale = std::max(scale, std::abs(value));
  for (std::size_t n = 0; n < got.size(); ++n) {
    ASSERT_NEAR(got[n], wanted[n], tolerance * scale) << "element " << n << " of " << formula.expression.to_string();
  }
}

/// Sums of k products of normal numbers are off by about k eps; the formulas below are smooth, with derivatives below
/// 50 of the result's scale.
constexpr double kTolerance = 50 * 40 * 0x1p-53;

struct Integrals {
  Tensor B;
  Tensor occupied;
  Tensor virtuals;
};

Integrals random_integrals(std::int64_t nocc, std::int64_t nvir, std::int64_t naux) {
  Random random(5);
  const auto energies = [&](std::int64_t count, double low, double high) {
    const Tensor values = Tensor::empty({count}, DType::kFloat64);
    for (std::int64_t k = 0; k < count; ++k) values.data_as<double>()[k] = random.uniform(low, high);
    return values;
  };
  return {random_tensor(random, {nocc, nvir, naux}, DType::kFloat64), energies(nocc, -3, -1), energies(nvir, 0.1, 2)};
}

Expression denominator() { return tensor("e", "i") + tensor("e", "j") - tensor("f", "a") - tensor("f", "b"); }

TEST(EpilogueFormulas, ClosedShellMp2) {
  const Integrals integrals = random_integrals(5, 11, 13);
  const Expression x = element();
  const Expression energy = sum("iajb", x * (2 * x - element("ibja")) / denominator());
  const Expression pairs = sum("ab", x * (2 * x - element("ijba")) / denominator());
  const std::vector<NamedView> tensors{{"e", integrals.occupied}, {"f", integrals.virtuals}};
  for (const auto limit : {std::int64_t{0}, std::int64_t{968 + 5 * 5 * 8}, std::int64_t{20000}}) {
    EpilogueOptions options;
    if (limit > 0) options.memory_limit = limit;
    expect_right({"iaP,jbP->iajb", {integrals.B, integrals.B}, energy, tensors}, kTolerance, options);
    expect_right({"iaP,jbP->ijab", {integrals.B, integrals.B}, pairs, tensors}, kTolerance, options);
  }
}

TEST(EpilogueFormulas, LaplaceTransformedOppositeSpin) {
  const Integrals integrals = random_integrals(4, 9, 12);
  // 1 / D as a sum of exponentials: weights and points of some quadrature.
  constexpr std::array kPoints{0.1, 0.4, 1.1, 2.3};
  constexpr std::array kWeights{0.3, 0.5, 0.9, 1.6};
  Expression inverse = 0.0;
  for (std::size_t t = 0; t < kPoints.size(); ++t) inverse = inverse - kWeights[t] * exp(kPoints[t] * denominator());
  expect_right({"iaP,jbP->iajb",
                {integrals.B, integrals.B},
                1.3 * sum("iajb", element() * element() * inverse),
                {{"e", integrals.occupied}, {"f", integrals.virtuals}}},
               kTolerance);
}

Expression softmax_over(std::string_view labels, double scale) {
  const Expression shifted = exp(scale * element() - max(labels, scale * element()));
  return shifted / sum(labels, shifted);
}

Expression softmax(double scale) { return softmax_over("j", scale); }

TEST(EpilogueFormulas, ScaledSoftmaxOfRows) {
  Random random(6);
  for (const std::int64_t rows : {1, 7, 40}) {
    for (const std::int64_t columns : {1, 5, 64, 600}) {
      const Tensor q = random_tensor(random, {rows, 20}, DType::kFloat64);
      const Tensor k = random_tensor(random, {columns, 20}, DType::kFloat64);
      expect_right({"ik,jk->ij", {q, k}, softmax(0.4), {}}, kTolerance);
      expect_right({"ik,jk->ji", {q, k}, softmax(0.4), {}}, kTolerance);
    }
  }
}

TEST(EpilogueFormulas, BatchedSoftmaxInOtherTypes) {
  Random random(7);
  for (const DType dtype : {DType::kFloat32, DType::kBFloat16, DType::kFloat16}) {
    const Tensor q = random_tensor(random, {3, 2, 33, 16}, dtype);
    const Tensor k = random_tensor(random, {3, 2, 40, 16}, dtype);
    // float32 sums of 16 products, then the rounding of the result.
    const double rounding = dtype == DType::kFloat32 ? 100 * 0x1p-24 : dtype == DType::kFloat16 ? 0x1p-11 : 0x1p-8;
    expect_right({"bhik,bhjk->bhij", {q, k}, softmax(0.25), {}}, 2 * rounding);
  }
}

TEST(EpilogueFormulas, NormsScalesAndBiases) {
  Random random(8);
  const Tensor a = random_tensor(random, {50, 30}, DType::kFloat64);
  const Tensor b = random_tensor(random, {30, 70}, DType::kFloat64);
  const Tensor bias = random_tensor(random, {70}, DType::kFloat32);
  const Expression x = element();
  expect_right({"ik,kj->ij", {a, b}, sqrt(sum("ij", x * x)), {}}, kTolerance);
  expect_right({"ik,kj->ij", {a, b}, x / sqrt(sum("j", x * x) + 1e-5), {}}, kTolerance);
  expect_right({"ik,kj->ij", {a, b}, max(x + tensor("bias", "j"), 0.0), {{"bias", bias}}}, kTolerance);
  expect_right({"ik,kj->ij", {a, b}, max("i", sum("j", x)), {}}, kTolerance);
  expect_right({"ik,kj->ij", {a, b}, sum("i", x * tensor("bias", "j")) - tensor("bias", "j"), {{"bias", bias}}},
               kTolerance);
}

TEST(EpilogueFormulas, OneAndManyOperands) {
  Random random(9);
  const Tensor a = random_tensor(random, {20, 30}, DType::kFloat64);
  const Tensor b = random_tensor(random, {30, 25}, DType::kFloat64);
  const Tensor c = random_tensor(random, {25, 40}, DType::kFloat64);
  expect_right({"ij->ij", {a}, softmax(1.0), {}}, kTolerance);
  expect_right({"ij->ji", {a}, sum("i", element() * element()), {}}, kTolerance);
  expect_right({"ik,kl,lj->ij", {a, b, c}, softmax(0.1), {}}, kTolerance);
  const Tensor d = random_tensor(random, {20, 30, 3}, DType::kFloat64);
  expect_right({"ikm,kl->il", {d, b}, softmax_over("l", 0.1), {}}, kTolerance);  // m is summed in d alone
}

TEST(EpilogueFormulas, ExponentialsReachEverywhere) {
  // Arguments up to and beyond the range of exp, and its special values.
  std::vector<double> arguments{0.0, -0.0, 1.0, -1.0, 700.5, 705.9, 709.7, 709.9, 1e4, -700, -744, -746, -1e5};
  for (const double special : {std::nan(""), double{INFINITY}, -double{INFINITY}}) arguments.push_back(special);
  for (double x = -750; x < 712; x += 0.37) arguments.push_back(x);
  const auto count = static_cast<std::int64_t>(arguments.size());
  const Tensor a = Tensor::from_values<double>({count}, std::span<const double>(arguments));
  const auto got = einsum_with_epilogue("i->i", {a}, exp(element())).to_vector<double>();
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const double wanted = std::exp(arguments[n]);
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(got[n])) << arguments[n];
    } else if (std::isinf(wanted) || wanted == 0) {
      EXPECT_EQ(got[n], wanted) << arguments[n];
    } else {
      EXPECT_NEAR(got[n], wanted, 3 * 0x1p-52 * wanted + 0x1p-1074) << arguments[n];
    }
  }
}

TEST(EpilogueFormulas, NanIsLargestAndSmallest) {
  const double nan = std::nan("");
  const Tensor a = Tensor::from_values<double>({2, 3}, {1.0, nan, 2.0, 4.0, 3.0, 5.0});
  const Tensor largest = einsum_with_epilogue("ij->ij", {a}, max("j", element()));
  EXPECT_TRUE(std::isnan(largest.at<double>({0})));
  EXPECT_EQ(largest.at<double>({1}), 5.0);
  EXPECT_TRUE(std::isnan(einsum_with_epilogue("ij->ij", {a}, max(element(), 3.0)).at<double>({0, 1})));
  EXPECT_TRUE(std::isnan(einsum_with_epilogue("ij->ij", {a}, epilogue::min(3.0, element())).at<double>({0, 1})));
}

TEST(EpilogueFormulas, ConstantsBeyondFloat32WidenTheArithmetic) {
  const Tensor a = Tensor::full({4, 4}, 1.0, DType::kFloat32);
  const auto evaluate = [&](const Expression& expression) {
    const Tensor result = einsum_with_epilogue("ik,jk->ij", {a, a}, expression);
    EXPECT_EQ(result.dtype(), DType::kFloat32);
    return result.item<float>();
  };
  EXPECT_EQ(evaluate(sum("ij", 1e300 * element()) * 1e-300), 64.0F);
  EXPECT_EQ(evaluate(sum("ij", 1e-60 * element()) / 1e-60), 64.0F);
  EXPECT_EQ(evaluate(sum("ij", element() / std::numeric_limits<double>::infinity())), 0.0F);
}

}  // namespace
}  // namespace trntensor
