#include "trntensor/epilogue/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

Expression join(ExpressionKind kind, const Expression& a, const Expression& b) {
  ExpressionNode node;
  node.kind = kind;
  node.operands = {a, b};
  return Expression(std::move(node));
}

Expression apply(ExpressionKind kind, const Expression& x, std::string_view labels = {}) {
  ExpressionNode node;
  node.kind = kind;
  node.labels = labels;
  node.operands = {x};
  return Expression(std::move(node));
}

std::size_t operands_of(ExpressionKind kind) {
  if (kind <= ExpressionKind::kTensor) return 0;
  return kind <= ExpressionKind::kMin ? 2 : 1;
}

/// Throws for a node that nothing could read; returns the levels of its tree.
int check_node(const ExpressionNode& node) {
  if (node.kind > ExpressionKind::kMaxOver) {
    throw_invalid(fmt::format("{} is no kind of expression", static_cast<int>(node.kind)), "expression",
                  "use an enumerator of ExpressionKind");
  }
  if (node.operands.size() != operands_of(node.kind)) {
    throw_invalid(fmt::format("\"{}\" takes {} operands, it was given {}", to_string(node.kind), operands_of(node.kind),
                              node.operands.size()),
                  "expression", "give as many as it takes");
  }
  int depth = 1;
  for (const Expression& operand : node.operands) depth = std::max(depth, operand.depth() + 1);
  if (depth > Expression::kMaxDepth) {
    throw_invalid(fmt::format("an expression has {} levels, {} are allowed", depth, Expression::kMaxDepth),
                  "expression",
                  "add up a long list of terms in pairs, or pass its numbers as a tensor with a label of its own");
  }
  return depth;
}

/// Compares trees; nodes that were found to be equal once are not compared again, however often they are shared.
class Comparison {
 public:
  bool equal(const Expression& a, const Expression& b) {
    const ExpressionNode& x = a.node();
    const ExpressionNode& y = b.node();
    if (&x == &y || known_.contains({&x, &y})) return true;
    if (a.depth() != b.depth() || x.kind != y.kind || x.name != y.name || x.labels != y.labels ||
        std::bit_cast<std::uint64_t>(x.value) != std::bit_cast<std::uint64_t>(y.value)) {
      return false;
    }
    for (std::size_t k = 0; k < x.operands.size(); ++k) {
      if (!equal(x.operands[k], y.operands[k])) return false;
    }
    known_.emplace(&x, &y);
    return true;
  }

 private:
  std::set<std::pair<const ExpressionNode*, const ExpressionNode*>> known_;
};

}  // namespace

Expression::Expression(ExpressionNode node) {
  const int depth = check_node(node);
  tree_ = std::make_shared<const Tree>(Tree{std::move(node), depth});
}

Expression::Expression(double value) : Expression(ExpressionNode{ExpressionKind::kConstant, value, {}, {}, {}}) {}

bool operator==(const Expression& a, const Expression& b) { return Comparison().equal(a, b); }

Expression operator+(const Expression& a, const Expression& b) { return join(ExpressionKind::kAdd, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return join(ExpressionKind::kSubtract, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return join(ExpressionKind::kMultiply, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return join(ExpressionKind::kDivide, a, b); }
Expression operator-(const Expression& a) { return apply(ExpressionKind::kNegate, a); }

namespace epilogue {

Expression element() { return Expression(ExpressionNode{ExpressionKind::kElement, 0, {}, {}, {}}); }

Expression element(std::string_view labels) {
  return Expression(ExpressionNode{ExpressionKind::kElement, 0, {}, std::string(labels), {}});
}

Expression tensor(std::string_view name, std::string_view labels) {
  return Expression(ExpressionNode{ExpressionKind::kTensor, 0, std::string(name), std::string(labels), {}});
}

Expression exp(const Expression& x) { return apply(ExpressionKind::kExp, x); }
Expression sqrt(const Expression& x) { return apply(ExpressionKind::kSqrt, x); }
Expression max(const Expression& a, const Expression& b) { return join(ExpressionKind::kMax, a, b); }
Expression min(const Expression& a, const Expression& b) { return join(ExpressionKind::kMin, a, b); }
Expression sum(std::string_view labels, const Expression& x) { return apply(ExpressionKind::kSumOver, x, labels); }
Expression max(std::string_view labels, const Expression& x) { return apply(ExpressionKind::kMaxOver, x, labels); }

}  // namespace epilogue
}  // namespace trntensor
