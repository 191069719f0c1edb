// Each promise of the oracle on values that were worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "trntensor/reference/reference.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using reference::ReferenceOptions;
using Complex = std::complex<double>;

Tensor run(const std::string& text, const std::vector<Tensor>& operands, const ReferenceOptions& options = {}) {
  const std::vector<TensorView> views(operands.begin(), operands.end());
  std::vector<Shape> shapes;
  for (const Tensor& operand : operands) shapes.push_back(operand.shape());
  return reference::einsum(parse_spec(text, shapes), views, options);
}

template <typename T>
Tensor list(std::initializer_list<T> values) {
  return Tensor::from_values<T>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(Reference, AlphaAndBetaScaleAsInBlas) {
  const Tensor a = list<double>({1, 2});
  const Tensor out = list<double>({10, 20});
  const Tensor result = run("i->i", {a}, {.alpha = 3, .beta = 0.5, .out = out});
  EXPECT_EQ(result.to_vector<double>(), (std::vector<double>{8, 16}));
  EXPECT_EQ(out.to_vector<double>(), (std::vector<double>{10, 20}));
}

TEST(Reference, AlphaZeroDoesNotReadTheOperands) {
  const Tensor a = list<double>({std::numeric_limits<double>::infinity(), 2});
  EXPECT_EQ(run("i->i", {a}, {.alpha = 0}).to_vector<double>(), (std::vector<double>{0, 0}));
}

// Only the products that are written: nothing is multiplied by 1 + 0i on the way.
TEST(Reference, InfinitePartsMeetNoZeroThatIsNotTheirs) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor a = list<Complex>({{infinity, 1}});
  const Tensor b = list<Complex>({{2, 3}});
  EXPECT_EQ(run("i->i", {a}).item<Complex>(), Complex(infinity, 1));
  EXPECT_EQ(run("i,i->i", {a, b}).item<Complex>(), Complex(infinity, infinity));
  EXPECT_EQ(run("i->i", {a}, {.alpha = 2}).item<Complex>(), Complex(infinity, 2));
  EXPECT_EQ(run("i->i", {b}, {.beta = 1, .out = a}).item<Complex>(), Complex(infinity, 4));
}

TEST(Reference, BetaZeroDoesNotReadOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor result = run("i->i", {list<double>({1, 2})}, {.out = list<double>({nan, nan})});
  EXPECT_EQ(result.to_vector<double>(), (std::vector<double>{1, 2}));
}

TEST(Reference, IntegersWrapInTheirWidth) {
  EXPECT_EQ(run("i,i->", {list<std::int8_t>({100, 100}), list<std::int8_t>({2, 3})}).item<std::int8_t>(), -12);
  EXPECT_EQ(run("i->", {list<std::uint8_t>({200, 100})}).item<std::uint8_t>(), 44);
  EXPECT_EQ(run("i->", {list<std::int64_t>({INT64_MAX, 1})}).item<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(run("i->", {list<std::uint64_t>({UINT64_MAX, 3})}).item<std::uint64_t>(), 2u);
  EXPECT_EQ(run("i->i", {list<std::int8_t>({100, -100})}, {.alpha = -2, .beta = 1, .out = list<std::int8_t>({1, 1})})
                .to_vector<int>(),
            (std::vector<int>{57, -55}));
}

TEST(Reference, AWiderComputeTypeKeepsTheSum) {
  const Tensor bytes = list<std::int8_t>({100, 100, 100});
  EXPECT_EQ(run("i->", {bytes}, {.compute_dtype = DType::kInt32}).item<std::int32_t>(), 300);
  EXPECT_EQ(run("i->", {bytes}).item<std::int8_t>(), 44);
}

TEST(Reference, BoolIsOrOfAnds) {
  const Tensor a = list<bool>({true, false, true});
  const Tensor b = list<bool>({false, true, true});
  EXPECT_TRUE(run("i,i->", {a, b}).item<bool>());
  EXPECT_FALSE(run("i,i->", {list<bool>({true, false}), list<bool>({false, true})}).item<bool>());
  EXPECT_FALSE(run("i->", {list<bool>({})}).item<bool>());
  EXPECT_EQ(run("i->i", {a}, {.alpha = 0, .beta = 1, .out = b}).to_vector<bool>(),
            (std::vector<bool>{false, true, true}));
}

TEST(Reference, ComplexProductsAreNotConjugated) {
  const Tensor z = list<Complex>({{1, 2}});
  EXPECT_EQ(run("i,i->", {z, z}).item<Complex>(), Complex(-3, 4));
  EXPECT_EQ(run("i->i", {z}, {.alpha = Complex(0, 1)}).item<Complex>(), Complex(-2, 1));
}

TEST(Reference, SpecialValuesFollowIeee) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run("i->", {list<double>({1, inf, 2})}).item<double>(), inf);
  EXPECT_TRUE(std::isnan(run("i->", {list<double>({inf, -inf})}).item<double>()));
  EXPECT_TRUE(std::isnan(run("i,i->", {list<double>({0.0}), list<double>({inf})}).item<double>()));
}

TEST(Reference, SumsThatCancelInDoubleAreExact) {
  EXPECT_EQ(run("i->", {list<double>({1e30, 1, -1e30})}).item<double>(), 1);
  EXPECT_EQ(run("i,i->", {list<double>({1 + 0x1p-52, -1}), list<double>({1 - 0x1p-52, 1})}).item<double>(), -0x1p-104);
}

TEST(Reference, RoundsOperandsToTheComputeTypeAndTheResultOnce) {
  const double third = 1.0 / 3;
  EXPECT_EQ(run("i->", {list<double>({third})}, {.compute_dtype = DType::kFloat32, .output_dtype = DType::kFloat64})
                .item<double>(),
            static_cast<double>(static_cast<float>(third)));
  // 2048 + 1 is a tie in float16; summed in halves it would stay at 2048 for good.
  const Tensor ones = Tensor::full({4096}, 1.0, DType::kFloat16);
  EXPECT_EQ(run("i->", {ones}).item<float>(), 4096.0F);
}

TEST(Reference, PromotesAsNumpyDoes) {
  EXPECT_EQ(run("i,i->", {list<float>({1}), list<std::int64_t>({1})}).dtype(), DType::kFloat64);
  EXPECT_EQ(run("i,i->", {list<std::uint8_t>({200}), list<std::int8_t>({-1})}).item<std::int16_t>(), -200);
  EXPECT_EQ(run("i,i->", {list<float>({1, 1}), list<Complex>({{1, 1}, {1, 0}})}).item<Complex>(), Complex(2, 1));
}

TEST(Reference, EmptySumsAreZeroAndEmptyResultsAreEmpty) {
  const Tensor empty = Tensor::empty({0, 3}, DType::kFloat64);
  EXPECT_EQ(run("ij->j", {empty}).to_vector<double>(), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(run("ij->i", {empty}).shape(), (Shape{0}));
  EXPECT_EQ(run("ij->", {empty}, {.beta = 2, .out = Tensor::scalar(3.0)}).item<double>(), 6);
}

TEST(Reference, MagnitudeSumsModuli) {
  const std::vector<Tensor> operands{list<double>({1, -2, 3}), list<double>({-1, 1, 1})};
  const std::vector<TensorView> views(operands.begin(), operands.end());
  const Spec spec = parse_spec("i,i->", std::vector<Shape>{{3}, {3}});
  EXPECT_EQ(reference::magnitude(spec, views).item<double>(), 6);
  const Tensor out = Tensor::scalar(-5.0);
  const ReferenceOptions scaled{.alpha = -2, .beta = -3, .out = out};
  EXPECT_EQ(reference::magnitude(spec, views, scaled).item<double>(), 27);
  const std::vector<Tensor> complex{list<Complex>({{3, 4}})};
  EXPECT_EQ(reference::magnitude(parse_spec("i->", std::vector<Shape>{{1}}), std::vector<TensorView>{complex[0]})
                .item<double>(),
            5);
}

TEST(Reference, DepthIsTheProductOfTheSummedExtents) {
  const std::vector<Shape> shapes{{2, 3, 5}, {5, 7, 2}};
  EXPECT_EQ(reference::contraction_depth(parse_spec("ijk,kli->jl", shapes)), 10);
  EXPECT_EQ(reference::contraction_depth(parse_spec("ijk,kli->ijkl", shapes)), 1);
  EXPECT_EQ(reference::contraction_depth(parse_spec("ij->", std::vector<Shape>{{0, 3}})), 0);
}

TEST(Reference, RefusesOperandsOfOtherShapes) {
  const Spec spec = parse_spec("ij->i", std::vector<Shape>{{2, 3}});
  const auto message = [&](const std::vector<Tensor>& operands, const ReferenceOptions& options) -> std::string {
    const std::vector<TensorView> views(operands.begin(), operands.end());
    try {
      reference::einsum(spec, views, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
      return error.what();
    }
    return "accepted";
  };
  const Tensor right = Tensor::zeros({2, 3}, DType::kFloat64);
  const Tensor wrong = Tensor::zeros({3, 2}, DType::kFloat64);
  EXPECT_NE(message({wrong}, {}).find("operand 0 has shape (3, 2)"), std::string::npos);
  EXPECT_NE(message({right, right}, {}).find("2 operands"), std::string::npos);
  EXPECT_NE(message({right}, {.beta = 1, .out = right}).find("out has shape (2, 3)"), std::string::npos);
  EXPECT_NE(message({right}, {.beta = 1}).find("no out"), std::string::npos);
}

}  // namespace
}  // namespace trntensor
