#include "trntensor/epilogue/expression.hpp"

#include <algorithm>
#include <bit>
#include <utility>

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

}  // namespace

Expression::Expression(ExpressionNode node) : node_(std::make_shared<const ExpressionNode>(std::move(node))) {}

Expression::Expression(double value) : Expression(ExpressionNode{ExpressionKind::kConstant, value, {}, {}, {}}) {}

bool operator==(const Expression& a, const Expression& b) noexcept {
  if (a.node_ == b.node_) return true;
  const ExpressionNode& x = *a.node_;
  const ExpressionNode& y = *b.node_;
  return x.kind == y.kind && std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value) &&
         x.name == y.name && x.labels == y.labels && std::ranges::equal(x.operands, y.operands);
}

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
