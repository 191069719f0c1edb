// Expressions as text.
#include <fmt/format.h>

#include "trntensor/epilogue/expression.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

/// How tightly the outermost operation of a text binds.
enum class Binding : std::uint8_t { kSum, kProduct, kPrefix, kAtom };

struct Text {
  std::string text;
  Binding binding = Binding::kAtom;
};

Text text_of(const Expression& expression);

/// In parentheses when it binds less tightly than `least`.
std::string operand(const Expression& expression, Binding least) {
  Text inner = text_of(expression);
  return inner.binding < least ? fmt::format("({})", inner.text) : std::move(inner.text);
}

std::string call(std::string_view function, const ExpressionNode& node) {
  std::string arguments;
  for (const Expression& argument : node.operands) {
    if (!arguments.empty()) arguments += ", ";
    arguments += text_of(argument).text;
  }
  const std::string labels = node.labels.empty() ? "" : fmt::format("[{}]", node.labels);
  return fmt::format("{}{}({})", function, labels, arguments);
}

/// A second operand of the same rank stands in parentheses, so that the text reads back to the same tree.
Text infix(const ExpressionNode& node, std::string_view symbol, Binding binding) {
  const auto tighter = static_cast<Binding>(static_cast<int>(binding) + 1);
  return {fmt::format("{} {} {}", operand(node.operands[0], binding), symbol, operand(node.operands[1], tighter)),
          binding};
}

Text text_of(const Expression& expression) {
  const ExpressionNode& node = expression.node();
  switch (node.kind) {
    case ExpressionKind::kConstant:
      return {fmt::format("{}", node.value), node.value < 0 ? Binding::kPrefix : Binding::kAtom};
    case ExpressionKind::kElement:
      return {node.labels.empty() ? "x" : fmt::format("x[{}]", node.labels)};
    case ExpressionKind::kTensor:
      return {fmt::format("{}[{}]", node.name, node.labels)};
    case ExpressionKind::kAdd:
      return infix(node, "+", Binding::kSum);
    case ExpressionKind::kSubtract:
      return infix(node, "-", Binding::kSum);
    case ExpressionKind::kMultiply:
      return infix(node, "*", Binding::kProduct);
    case ExpressionKind::kDivide:
      return infix(node, "/", Binding::kProduct);
    case ExpressionKind::kNegate:
      return {fmt::format("-{}", operand(node.operands[0], Binding::kAtom)), Binding::kPrefix};
    case ExpressionKind::kExp:
      return {call("exp", node)};
    case ExpressionKind::kSqrt:
      return {call("sqrt", node)};
    case ExpressionKind::kMax:
    case ExpressionKind::kMaxOver:
      return {call("max", node)};
    case ExpressionKind::kMin:
      return {call("min", node)};
    case ExpressionKind::kSumOver:
      return {call("sum", node)};
  }
  throw Error(ErrorKind::kInternal, "an expression of no kind");
}

}  // namespace

std::string_view to_string(ExpressionKind kind) noexcept {
  constexpr std::string_view kNames[] = {"constant", "element", "tensor", "add", "subtract", "multiply", "divide",
                                         "max",      "min",     "negate", "exp", "sqrt",     "sum over", "max over"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string Expression::to_string() const { return text_of(*this).text; }

}  // namespace trntensor
