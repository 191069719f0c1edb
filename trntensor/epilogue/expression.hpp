// What is done to the elements of a contraction's result before anybody sees them: a small immutable tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trntensor {

enum class ExpressionKind : std::uint8_t {
  kConstant,
  kElement,  ///< of the contraction's result; with labels: the element at exchanged indices
  kTensor,   ///< of a named tensor over some labels of the result
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMax,
  kMin,
  kNegate,
  kExp,
  kSqrt,
  kSumOver,  ///< over some labels, which are then gone
  kMaxOver,
};

/// "constant", "element", "add", ...; "unknown" for what is no kind.
std::string_view to_string(ExpressionKind kind) noexcept;

class Expression;

/// One node of the tree.
struct ExpressionNode {
  ExpressionKind kind = ExpressionKind::kConstant;
  double value = 0;                  ///< kConstant
  std::string name = {};             ///< kTensor
  std::string labels = {};           ///< letters as in einsum: kElement, kTensor, kSumOver, kMaxOver
  std::vector<Expression> operands;  ///< none, one or two, by kind
};

/// A value: copies are cheap and share the tree, equality compares trees. Operators and the functions of namespace
/// `epilogue` make larger expressions of smaller ones; what labels and names mean is decided where an expression meets
/// a contraction (epilogue::bind).
class Expression {
 public:
  /// The constant 0.
  Expression() : Expression(0.0) {}

  /// A constant.
  Expression(double value);  // NOLINT(google-explicit-constructor): 2 * x reads as it should

  /// Levels that a tree may have. Whatever walks a tree needs stack for each.
  static constexpr int kMaxDepth = 1000;

  /// Throws InvalidArgument for a kind that there is none of, another number of operands than the kind takes, and more
  /// than kMaxDepth levels; so do the operators and functions that make expressions.
  explicit Expression(ExpressionNode node);

  [[nodiscard]] const ExpressionNode& node() const noexcept { return tree_->node; }
  [[nodiscard]] ExpressionKind kind() const noexcept { return tree_->node.kind; }

  /// Levels of the tree: 1 for a constant.
  [[nodiscard]] int depth() const noexcept { return tree_->depth; }

  /// As one would write it: "sum[iajb](x * (2 * x - x[ibja]) / (e[i] + e[j] - f[a] - f[b]))". Constants in the
  /// shortest form that reads back to the same number. More than `most` bytes are cut off, and "..." stands there:
  /// parts that are shared are written each time, so that a small tree can have a text of any length.
  [[nodiscard]] std::string to_string(std::size_t most = kMostText) const;

  static constexpr std::size_t kMostText = std::size_t{1} << 16;

  /// Same tree: same kinds, names, labels and constants (0 and -0 differ, NaN equals NaN of the same bits).
  friend bool operator==(const Expression& a, const Expression& b);

  friend Expression operator+(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Expression& b);
  friend Expression operator/(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a);

 private:
  struct Tree {
    ExpressionNode node;
    int depth = 1;
  };

  std::shared_ptr<const Tree> tree_;
};

namespace epilogue {

/// The element of the contraction's result.
Expression element();

/// The element at other indices: for a result over `iajb`, element("ibja") is (ib|ja), a and b exchanged. `labels` are
/// those of the result, each once; labels that change places must have the same extent.
Expression element(std::string_view labels);

/// The element of a named tensor whose axes are `labels`, distinct labels of the result: tensor("e", "i") is e_i.
Expression tensor(std::string_view name, std::string_view labels);

Expression exp(const Expression& x);
Expression sqrt(const Expression& x);

/// NaN where either is NaN.
Expression max(const Expression& a, const Expression& b);
Expression min(const Expression& a, const Expression& b);

/// Over all values of `labels`, which x must depend on. A sum over nothing is 0, a maximum over nothing -infinity; a
/// maximum is NaN where any value is.
Expression sum(std::string_view labels, const Expression& x);
Expression max(std::string_view labels, const Expression& x);

}  // namespace epilogue
}  // namespace trntensor
