// Expressions as values: what they hold, how they print, when they are equal and when they are symmetric.
#include <gtest/gtest.h>

#include "trntensor/epilogue/symmetry.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::exp;
using epilogue::max;
using epilogue::min;
using epilogue::sqrt;
using epilogue::sum;
using epilogue::tensor;

Expression denominator() { return tensor("e", "i") + tensor("e", "j") - tensor("f", "a") - tensor("f", "b"); }

Expression mp2() { return sum("iajb", element() * (2 * element() - element("ibja")) / denominator()); }

TEST(Expression, PrintsAsItIsWritten) {
  const Expression x = element();
  EXPECT_EQ(mp2().to_string(), "sum[iajb](x * (2 * x - x[ibja]) / (e[i] + e[j] - f[a] - f[b]))");
  EXPECT_EQ((x - (x - 1)).to_string(), "x - (x - 1)");
  EXPECT_EQ((x / (x * x)).to_string(), "x / (x * x)");
  EXPECT_EQ((-(x + 1) * -2.5).to_string(), "-(x + 1) * -2.5");
  EXPECT_EQ((-exp(-x)).to_string(), "-exp(-x)");
  EXPECT_EQ((-(-x)).to_string(), "-(-x)");
  EXPECT_EQ(Expression(-2.0).to_string(), "-2");
  EXPECT_EQ((-Expression(2.0)).to_string(), "-(2)");
  EXPECT_EQ((-Expression(-0.0)).to_string(), "-(-0)");
  EXPECT_EQ(max(sqrt(x), min(x, 0.1)).to_string(), "max(sqrt(x), min(x, 0.1))");
  EXPECT_EQ((exp(x - max("j", x)) / sum("j", exp(x))).to_string(), "exp(x - max[j](x)) / sum[j](exp(x))");
  EXPECT_EQ(tensor("scale", "").to_string(), "scale[]");
}

TEST(Expression, IsATreeThatCanBeRead) {
  const Expression root = sum("ij", element() * tensor("w", "j"));
  EXPECT_EQ(root.kind(), ExpressionKind::kSumOver);
  EXPECT_EQ(root.node().labels, "ij");
  const Expression& product = root.node().operands.at(0);
  EXPECT_EQ(product.kind(), ExpressionKind::kMultiply);
  EXPECT_EQ(product.node().operands.at(0), element());
  EXPECT_EQ(product.node().operands.at(1).node().name, "w");
  EXPECT_EQ(to_string(ExpressionKind::kMaxOver), "max over");
  EXPECT_EQ(Expression().node().value, 0);
}

TEST(Expression, EqualTreesAreEqual) {
  EXPECT_EQ(mp2(), mp2());
  EXPECT_NE(element() + 1, 1 + element());
  EXPECT_NE(tensor("e", "i"), tensor("e", "j"));
  EXPECT_NE(tensor("e", "i"), tensor("f", "i"));
  EXPECT_NE(sum("i", element()), max("i", element()));
  EXPECT_NE(Expression(0.0), Expression(-0.0));
  EXPECT_NE(element(), element("ij"));
}

epilogue::Formula bound(const Expression& expression) {
  const std::vector<Shape> shapes{{3, 5, 4}, {3, 5, 4}};
  const std::vector<epilogue::TensorName> tensors{{"e", {3}}, {"f", {5}}};
  return epilogue::bind({&expression, 1}, parse_spec("iaP,jbP->iajb", shapes), tensors);
}

bool is_symmetric(const Expression& expression) {
  const epilogue::Formula formula = bound(expression);
  const auto label = [&](std::size_t axis) { return formula.element[axis]; };
  return epilogue::is_symmetric(formula, formula.roots[0], {{label(0), label(2)}, {label(1), label(3)}});
}

TEST(Formula, SharesEqualParts) {
  const epilogue::Formula formula = bound(mp2());
  std::size_t elements = 0;
  for (const auto& node : formula.nodes) elements += node.kind == ExpressionKind::kElement ? 1 : 0;
  EXPECT_EQ(elements, 2U) << "x and its transpose";
  EXPECT_TRUE(formula.nodes[static_cast<std::size_t>(formula.roots[0])].labels.empty());
  EXPECT_EQ(bound(mp2()), formula);
}

TEST(Formula, SymmetriesAreFoundAndNotMadeUp) {
  const Expression x = element();
  EXPECT_TRUE(is_symmetric(mp2()));
  EXPECT_TRUE(is_symmetric(sum("ab", x * (x - element("ibja")) / denominator())));
  EXPECT_TRUE(is_symmetric(x));
  EXPECT_TRUE(is_symmetric(element("ibja"))) << "(ib|ja) = (ja|ib)";
  EXPECT_TRUE(is_symmetric(element("jbia")));
  EXPECT_TRUE(is_symmetric(-(tensor("e", "i") * x * tensor("e", "j"))));
  EXPECT_TRUE(is_symmetric(max(tensor("e", "i"), tensor("e", "j"))));
  EXPECT_FALSE(is_symmetric(tensor("e", "i") - tensor("e", "j")));
  EXPECT_FALSE(is_symmetric(tensor("e", "i") / tensor("e", "j")));
  EXPECT_FALSE(is_symmetric(sum("ab", x * tensor("f", "a"))));
  EXPECT_FALSE(is_symmetric(sum("ia", x)));
  EXPECT_FALSE(is_symmetric(sum("iajb", x * tensor("e", "i"))))
      << "a sum over both is, but renamed sums are compared term by term";
}

}  // namespace
}  // namespace trntensor
