#include "trntensor/epilogue/symmetry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace trntensor::epilogue {
namespace {

/// Terms or factors of a node with their signs (of exponents, for factors), each as a text that says what it is.
using Parts = std::vector<std::string>;

/// Writes nodes so that values that are the same for reasons of commutativity have the same text.
class Canon {
 public:
  Canon(const Formula& formula, const Exchange& exchange, bool rename)
      : formula_(formula), exchange_(exchange), rename_(rename) {}

  [[nodiscard]] std::string text(int position) const {
    const FormulaNode& node = at(position);
    switch (node.kind) {
      case ExpressionKind::kConstant:
        return fmt::format("{}", node.value);
      case ExpressionKind::kElement:
        return element(node);
      case ExpressionKind::kTensor:
        return fmt::format("t{}[{}]", node.tensor, fmt::join(renamed(node.own), ","));
      case ExpressionKind::kAdd:
      case ExpressionKind::kSubtract:
      case ExpressionKind::kNegate:
        return list("sum", position, &Canon::add_terms);
      case ExpressionKind::kMultiply:
      case ExpressionKind::kDivide:
        return list("product", position, &Canon::add_factors);
      case ExpressionKind::kMax:
      case ExpressionKind::kMin:
        return sorted_call(node);
      default:
        break;
    }
    Labels own = renamed(node.own);
    std::sort(own.begin(), own.end());
    return fmt::format("{}[{}]({})", to_string(node.kind), fmt::join(own, ","), text(node.a));
  }

 private:
  using Collect = void (Canon::*)(int position, bool positive, Parts& parts) const;

  [[nodiscard]] const FormulaNode& at(int position) const { return formula_.nodes[static_cast<std::size_t>(position)]; }

  [[nodiscard]] Labels renamed(Labels labels) const {
    if (!rename_) return labels;
    for (Label& label : labels) label = exchanged(exchange_, label);
    return labels;
  }

  /// The axes of the result may be exchanged too, since the element is symmetric: the smaller of the two forms.
  [[nodiscard]] std::string element(const FormulaNode& node) const {
    const Labels own = renamed(node.own);
    Labels mirrored(own.size());
    for (std::size_t d = 0; d < own.size(); ++d) {
      const auto there =
          std::find(formula_.element.begin(), formula_.element.end(), exchanged(exchange_, formula_.element[d]));
      mirrored[d] = own[static_cast<std::size_t>(there - formula_.element.begin())];
    }
    return fmt::format("x[{}]", fmt::join(std::min(own, mirrored), ","));
  }

  [[nodiscard]] std::string list(const char* name, int position, Collect collect) const {
    Parts parts;
    (this->*collect)(position, true, parts);
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}({})", name, fmt::join(parts, " "));
  }

  [[nodiscard]] std::string sorted_call(const FormulaNode& node) const {
    Parts parts{text(node.a), text(node.b)};
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}({})", to_string(node.kind), fmt::join(parts, ", "));
  }

  void add_terms(int position, bool positive, Parts& parts) const {
    const FormulaNode& node = at(position);
    if (node.kind == ExpressionKind::kNegate) {
      add_terms(node.a, !positive, parts);
    } else if (node.kind == ExpressionKind::kAdd || node.kind == ExpressionKind::kSubtract) {
      add_terms(node.a, positive, parts);
      add_terms(node.b, positive == (node.kind == ExpressionKind::kAdd), parts);
    } else {
      parts.push_back(fmt::format("{}{}", positive ? "+" : "-", text(position)));
    }
  }

  void add_factors(int position, bool positive, Parts& parts) const {
    const FormulaNode& node = at(position);
    if (node.kind == ExpressionKind::kMultiply || node.kind == ExpressionKind::kDivide) {
      add_factors(node.a, positive, parts);
      add_factors(node.b, positive == (node.kind == ExpressionKind::kMultiply), parts);
    } else {
      parts.push_back(fmt::format("{}{}", positive ? "*" : "/", text(position)));
    }
  }

  const Formula& formula_;
  const Exchange& exchange_;
  bool rename_;
};

}  // namespace

Label exchanged(const Exchange& exchange, Label label) noexcept {
  for (const auto& [first, second] : exchange) {
    if (label == first) return second;
    if (label == second) return first;
  }
  return label;
}

bool is_symmetric(const Formula& formula, int node, const Exchange& exchange) {
  return Canon(formula, exchange, false).text(node) == Canon(formula, exchange, true).text(node);
}

}  // namespace trntensor::epilogue
