// Trees that are deep, shared many times over, or made wrongly.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/epilogue/symmetry.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::max;
using epilogue::sum;
using testing::expect_error;

void expect_refused(const std::vector<std::string>& fragments, const std::function<void()>& make) {
  expect_error(ErrorKind::kInvalidArgument, fragments, make);
}

TEST(ExpressionTrees, NodesHaveTheOperandsOfTheirKind) {
  const Expression x = element();
  expect_refused({"\"add\" takes 2 operands, it was given 0"},
                 [] { Expression(ExpressionNode{ExpressionKind::kAdd, 0, {}, {}, {}}); });
  expect_refused({"\"sum over\" takes 1 operands, it was given 0"},
                 [] { Expression(ExpressionNode{ExpressionKind::kSumOver, 0, {}, "i", {}}); });
  expect_refused({"\"element\" takes 0 operands, it was given 1"},
                 [&] { Expression(ExpressionNode{ExpressionKind::kElement, 0, {}, {}, {x}}); });
  expect_refused({"\"exp\" takes 1 operands, it was given 3"},
                 [&] { Expression(ExpressionNode{ExpressionKind::kExp, 0, {}, {}, {x, x, x}}); });
  expect_refused({"99 is no kind of expression"},
                 [] { Expression(ExpressionNode{static_cast<ExpressionKind>(99), 0, {}, {}, {}}); });
  EXPECT_EQ(to_string(static_cast<ExpressionKind>(99)), "unknown");
  EXPECT_EQ(Expression(ExpressionNode{ExpressionKind::kMax, 0, {}, {}, {x, x}}), max(x, x));
}

/// x + x + ... + x, which nests to the left.
Expression chain(int terms) {
  Expression y = element();
  for (int k = 1; k < terms; ++k) y = y + element();
  return y;
}

TEST(ExpressionTrees, DepthIsBounded) {
  const Expression deepest = chain(Expression::kMaxDepth);
  EXPECT_EQ(deepest.depth(), Expression::kMaxDepth);
  EXPECT_EQ(deepest, chain(Expression::kMaxDepth));
  EXPECT_EQ(deepest.to_string().size(), 4U * Expression::kMaxDepth - 3);
  expect_refused({"1001 levels", "1000 are allowed", "in pairs"}, [&] { deepest + 1; });
  expect_refused({"1001 levels"}, [&] { -deepest; });
  expect_refused({"1001 levels"}, [] { chain(200000); });
}

TEST(ExpressionTrees, TheDeepestIsEvaluated) {
  const Tensor a = Tensor::full({4, 4}, 0.5, DType::kFloat64);
  EXPECT_EQ(einsum_with_epilogue("ik,kj->ij", {a, a}, sum("ij", chain(Expression::kMaxDepth - 1))).item<double>(),
            16.0 * (Expression::kMaxDepth - 1));
}

/// A tree of 2^levels leaves in as many nodes as levels: 0.5 * (y + y) is y.
Expression doubled(int levels) {
  Expression y = element();
  for (int k = 0; k < levels; ++k) y = 0.5 * (y + y);
  return y;
}

TEST(ExpressionTrees, SharedPartsAreWalkedOnce) {
  const Tensor a = Tensor::full({4, 4}, 0.5, DType::kFloat64);
  const Tensor b = Tensor::full({4, 4}, 0.5, DType::kFloat64);
  const Expression y = doubled(300);
  EXPECT_EQ(y, doubled(300));
  EXPECT_NE(y, doubled(299));
  EXPECT_NE(y + doubled(300), y + 0.5 * (doubled(299) + doubled(299) * 1));
  EXPECT_EQ(einsum_with_epilogue("ik,kj->ij", {a, b}, sum("ij", y)).item<double>(), 16.0);
  EXPECT_EQ(einsum_with_epilogue("ik,jk->ij", {a, a}, sum("ij", y)).item<double>(), 16.0) << "symmetric";
  EXPECT_EQ(einsum_with_epilogue("ik,kj->ij", {a, b}, y / sum("j", y)).at<double>({1, 2}), 0.25);
}

TEST(ExpressionTrees, LongTextsAreCutShort) {
  const std::string text = doubled(300).to_string();
  EXPECT_EQ(text.size(), Expression::kMostText + 3);
  EXPECT_EQ(text.substr(text.size() - 3), "...");
  EXPECT_EQ(text.substr(0, 20), "0.5 * (0.5 * (0.5 * ");
  EXPECT_EQ(doubled(2).to_string(), "0.5 * (0.5 * (x + x) + 0.5 * (x + x))");
  EXPECT_EQ(sum("\xc3\xa9", element()).to_string(5), "sum[...") << "letters are not cut";
  const Tensor a = Tensor::full({4, 4}, 0.5, DType::kFloat64);
  expect_refused({"\"k\" in sum[k](0.5 * (", "..."},
                 [&] { einsum_with_epilogue("ik,kj->ij", {a, a}, sum("k", doubled(300))); });
}

bool is_symmetric(const Expression& expression) {
  const std::vector<Shape> shapes{{3, 4}, {3, 4}};
  const std::vector<epilogue::TensorName> tensors{{"e", {3}}};
  const epilogue::Formula formula = epilogue::bind({&expression, 1}, parse_spec("iP,jP->ij", shapes), tensors);
  return epilogue::is_symmetric(formula, formula.roots[0], {{formula.element[0], formula.element[1]}});
}

TEST(ExpressionTrees, SymmetryOfSharedPartsIsFound) {
  const Expression e_i = epilogue::tensor("e", "i");
  const Expression e_j = epilogue::tensor("e", "j");
  EXPECT_TRUE(is_symmetric(doubled(300)));
  EXPECT_TRUE(is_symmetric(doubled(40) * e_i * e_j));
  EXPECT_FALSE(is_symmetric(doubled(40) * e_i));
  EXPECT_FALSE(is_symmetric(e_i + e_i + e_j)) << "how often a term is there counts";
  EXPECT_TRUE(is_symmetric(e_i + e_i + e_j + e_j));
  EXPECT_FALSE(is_symmetric(e_i - e_j + e_i - e_j));
  EXPECT_FALSE(is_symmetric(e_i - e_i)) << "infinity less infinity is NaN on one side only";
  Expression often = e_i + e_j;
  for (int k = 0; k < 100; ++k) often = often + often;
  EXPECT_FALSE(is_symmetric(often)) << "2^100 terms are not counted: no symmetry is claimed";
}

}  // namespace
}  // namespace trntensor
