// Expressions as text.
#include <fmt/format.h>

#include <cmath>

#include "trntensor/epilogue/expression.hpp"

namespace trntensor {
namespace {

/// How tightly the outermost operation of a text binds.
enum class Binding : std::uint8_t { kSum, kProduct, kPrefix, kAtom, kNever };

Binding binding_of(const ExpressionNode& node) {
  switch (node.kind) {
    case ExpressionKind::kConstant:
      return std::signbit(node.value) ? Binding::kPrefix : Binding::kAtom;
    case ExpressionKind::kAdd:
    case ExpressionKind::kSubtract:
      return Binding::kSum;
    case ExpressionKind::kMultiply:
    case ExpressionKind::kDivide:
      return Binding::kProduct;
    case ExpressionKind::kNegate:
      return Binding::kPrefix;
    default:
      return Binding::kAtom;
  }
}

std::string_view symbol_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kAdd:
      return " + ";
    case ExpressionKind::kSubtract:
      return " - ";
    case ExpressionKind::kMultiply:
      return " * ";
    default:
      return " / ";
  }
}

std::string_view function_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kExp:
      return "exp";
    case ExpressionKind::kSqrt:
      return "sqrt";
    case ExpressionKind::kMin:
      return "min";
    case ExpressionKind::kSumOver:
      return "sum";
    default:
      return "max";
  }
}

/// Writes until there is enough text.
class Writer {
 public:
  explicit Writer(std::size_t most) : most_(most) {}

  /// In parentheses when the expression binds less tightly than `least`.
  void write(const Expression& expression, Binding least) {
    if (text_.size() > most_) return;
    const ExpressionNode& node = expression.node();
    const bool in_parentheses = binding_of(node) < least;
    if (in_parentheses) text_ += '(';
    write_node(node);
    if (in_parentheses) text_ += ')';
  }

  std::string take() {
    if (text_.size() <= most_) return std::move(text_);
    std::size_t end = most_;
    while (end > 0 && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) --end;  // letters stay whole
    return text_.substr(0, end) + "...";
  }

 private:
  void write_node(const ExpressionNode& node) {
    if (node.kind == ExpressionKind::kConstant) {
      text_ += fmt::format("{}", node.value);
    } else if (node.kind == ExpressionKind::kElement) {
      text_ += node.labels.empty() ? "x" : fmt::format("x[{}]", node.labels);
    } else if (node.kind == ExpressionKind::kTensor) {
      text_ += fmt::format("{}[{}]", node.name, node.labels);
    } else if (node.kind == ExpressionKind::kNegate) {
      // The negative of 2 is not the constant -2.
      const bool is_constant = node.operands[0].kind() == ExpressionKind::kConstant;
      text_ += '-';
      write(node.operands[0], is_constant ? Binding::kNever : Binding::kAtom);
    } else if (binding_of(node) == Binding::kAtom) {
      write_call(node);
    } else {
      write_infix(node);
    }
  }

  /// A second operand of the same rank stands in parentheses: x - (y - z) is another tree than x - y - z.
  void write_infix(const ExpressionNode& node) {
    const Binding binding = binding_of(node);
    write(node.operands[0], binding);
    text_ += symbol_of(node.kind);
    write(node.operands[1], static_cast<Binding>(static_cast<int>(binding) + 1));
  }

  void write_call(const ExpressionNode& node) {
    text_ += function_of(node.kind);
    if (!node.labels.empty()) text_ += fmt::format("[{}]", node.labels);
    text_ += '(';
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      if (k > 0) text_ += ", ";
      write(node.operands[k], Binding::kSum);
    }
    text_ += ')';
  }

  std::size_t most_;
  std::string text_;
};

}  // namespace

std::string_view to_string(ExpressionKind kind) noexcept {
  constexpr std::string_view kNames[] = {"constant", "element", "tensor", "add", "subtract", "multiply", "divide",
                                         "max",      "min",     "negate", "exp", "sqrt",     "sum over", "max over"};
  return kind <= ExpressionKind::kMaxOver ? kNames[static_cast<std::size_t>(kind)] : "unknown";
}

std::string Expression::to_string(std::size_t most) const {
  Writer writer(most);
  writer.write(*this, Binding::kSum);
  return writer.take();
}

}  // namespace trntensor
