// Faults that users met in other libraries, with the right values worked out by hand.
#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include "trntensor/reference/reference.hpp"

namespace trntensor {
namespace {

using Numbers = std::vector<double>;

template <typename T = double>
Tensor range(const Shape& shape) {
  Tensor tensor = Tensor::empty(shape, dtype_of<T>);
  std::iota(tensor.data_as<T>(), tensor.data_as<T>() + tensor.size(), T{0});
  return tensor;
}

Tensor run(const std::string& text, const std::vector<Tensor>& operands) {
  const std::vector<TensorView> views(operands.begin(), operands.end());
  std::vector<Shape> shapes;
  for (const Tensor& operand : operands) shapes.push_back(operand.shape());
  return reference::einsum(parse_spec(text, shapes), views);
}

TEST(UsersFaults, ScaledSliceOfAnOperand) {  // numpy#10080
  const Tensor all = range<std::int64_t>({3, 4, 3});
  const Tensor slice = all.slice(1, 1, 4);
  const Tensor result = run("j,ijk->ijk", {Tensor::from_values<std::int64_t>({3}, {1, 2, 3}), slice});
  EXPECT_EQ(result.select(0, 0).to_vector<double>(), (Numbers{3, 4, 5, 12, 14, 16, 27, 30, 33}));
}

TEST(UsersFaults, ExtentOneAgainstManyIsSummed) {  // numpy#10343, numpy#10930
  EXPECT_EQ(run("i,i", {Tensor::zeros({2}, DType::kFloat64), Tensor::zeros({1}, DType::kFloat64)}).item<double>(), 0);
  const Tensor result =
      run("t...i,ti->t...", {Tensor::full({10, 2}, 1, DType::kFloat64), Tensor::full({1, 2}, 1, DType::kFloat64)});
  EXPECT_EQ(result.to_vector<double>(), Numbers(10, 2.0));
  const Tensor halves = run("...ij,...jk->...ik",
                            {Tensor::full({1, 5}, 0.5, DType::kFloat64), Tensor::full({5, 5}, 0.5, DType::kFloat64)});
  EXPECT_EQ(halves.shape(), (Shape{1, 5}));
  EXPECT_EQ(halves.to_vector<double>(), Numbers(5, 1.25));
}

TEST(UsersFaults, EllipsisMissingFromTheOutputIsSummed) {  // numpy#30349
  const Tensor row = Tensor::from_values<double>({3}, {1, 2, 3});
  EXPECT_EQ(run("i...->i", {row.broadcast_to({3, 3, 3})}).to_vector<double>(), (Numbers{18, 18, 18}));
}

TEST(UsersFaults, NumbersBeyondTheAlphabet) {  // numpy#7741, numpy#11938
  const Tensor matrix = range({2, 3});
  const std::vector<std::vector<std::int64_t>> labels{{40, 30}};
  const Spec spec = make_spec(labels, std::vector<std::int64_t>{30, 40}, std::vector<Shape>{{2, 3}});
  EXPECT_EQ(reference::einsum(spec, std::vector<TensorView>{matrix}).to_vector<double>(), (Numbers{0, 3, 1, 4, 2, 5}));
}

TEST(UsersFaults, ComplexSumsOfLargeWholeNumbersAreExact) {  // numpy#25694
  using Complex = std::complex<double>;
  const Tensor w = Tensor::from_values<Complex>({2, 2, 1}, {{2.6e6, 0}, {3.8e6, 8e5}, {3.8e6, -8e5}, {5.8e6, 0}});
  const Tensor y = Tensor::from_values<Complex>({1, 2, 2}, {{1e5, 0}, {0, 0}, {0, 0}, {1e5, 0}});
  const std::vector<Complex> exact{{2.6e11, 0}, {3.8e11, 8e10}, {3.8e11, -8e10}, {5.8e11, 0}};
  EXPECT_EQ(run("cef,feg->cgf", {w, y}).to_vector<Complex>(), exact);
}

TEST(UsersFaults, EmptyOperands) {  // pytorch#37628, pytorch#111757
  const auto empty = [](const Shape& shape) { return Tensor::empty(shape, DType::kFloat64); };
  EXPECT_EQ(run("ij,j", {empty({0, 3}), range({3})}).shape(), (Shape{0}));
  EXPECT_EQ(run("abc,a,b->c", {empty({1, 1, 0}), range({1}), range({1})}).shape(), (Shape{0}));
}

TEST(UsersFaults, EllipsisAxesOfDifferentRank) {  // jax#2189
  const Tensor a = range({2, 1, 3, 3});
  const Tensor x = Tensor::full({2, 4, 3}, 1, DType::kFloat64);
  const Tensor result = run("...ij,...j", {a, x});
  EXPECT_EQ(result.shape(), (Shape{2, 4, 3}));
  EXPECT_EQ(result.select(0, 0).select(0, 3).to_vector<double>(), (Numbers{3, 12, 21}));
  EXPECT_EQ(result.select(0, 1).select(0, 0).to_vector<double>(), (Numbers{30, 39, 48}));
}

TEST(UsersFaults, BoolSumsAreOr) {  // jax#1851
  const Tensor result = run("ij->i", {Tensor::full({3, 3}, 1, DType::kBool)});
  EXPECT_EQ(result.dtype(), DType::kBool);
  EXPECT_EQ(result.to_vector<bool>(), std::vector<bool>(3, true));
}

TEST(UsersFaults, LabelsOfOneOperandOnly) {  // tblis#41, tblis#52
  const Tensor ones = Tensor::full({5, 6}, 1, DType::kFloat64);
  EXPECT_EQ(run("ab,ab->a", {ones, ones}).to_vector<double>(), Numbers(5, 6.0));
  const Tensor square = range({2, 2});
  // sum_a (sum_b A)(sum_c A) = (0 + 1)^2 + (2 + 3)^2
  EXPECT_EQ(run("ab,ac->", {square, square}).item<double>(), 26);
}

TEST(UsersFaults, OuterProductIntoAxesApart) {  // Einsums#283
  const Tensor result = run("ac,b->abc", {range({2, 4}), range({3})});
  for (std::int64_t a = 0; a < 2; ++a) {
    for (std::int64_t b = 0; b < 3; ++b) {
      for (std::int64_t c = 0; c < 4; ++c) {
        EXPECT_EQ(result.at<double>({a, b, c}), static_cast<double>((4 * a + c) * b));
      }
    }
  }
}

TEST(UsersFaults, TransposeAndSumTogether) {  // onnxruntime#18654, Fastor#33
  EXPECT_EQ(run("ijk->ki", {range({2, 3, 4})}).to_vector<double>(), (Numbers{12, 48, 15, 51, 18, 54, 21, 57}));
  const Tensor a = Tensor::from_values<double>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(run("ij,i", {a, Tensor::full({2}, 1, DType::kFloat64)}).to_vector<double>(), (Numbers{4, 6}));
}

TEST(UsersFaults, RepeatedLabelThatIsNotLast) {  // tinygrad#18207
  const Tensor a = range({2, 2, 4});
  EXPECT_EQ(run("iij->ij", {a}).to_vector<double>(), (Numbers{0, 1, 2, 3, 12, 13, 14, 15}));
  EXPECT_EQ(run("iij->i", {a}).to_vector<double>(), (Numbers{6, 54}));
}

}  // namespace
}  // namespace trntensor
