#include "trntensor/epilogue/symmetry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace trntensor::epilogue {
namespace {

/// Short names of texts: equal texts have one name, so that what is shared many times need not be written out.
class TextNames {
 public:
  std::string of(const std::string& text) {
    return fmt::format("#{}", numbers_.try_emplace(text, numbers_.size()).first->second);
  }
  /// The name of nothing else.
  std::string fresh() { return fmt::format("?{}", fresh_++); }

 private:
  std::map<std::string, std::size_t> numbers_;
  int fresh_ = 0;
};

/// Writes nodes so that values that are the same for reasons of commutativity have the same name.
class Canon {
 public:
  Canon(const Formula& formula, const Exchange& exchange, bool rename, TextNames& names)
      : formula_(formula), exchange_(exchange), rename_(rename), names_(names), known_(formula.nodes.size()) {}

  const std::string& name(int position) {
    std::string& known = known_[static_cast<std::size_t>(position)];
    if (known.empty()) known = names_.of(text(position));
    return known;
  }

 private:
  /// How often a node is added and subtracted, or multiplied and divided by.
  struct Uses {
    std::uint64_t count[2] = {0, 0};

    void add(const Uses& more, bool flipped) {
      for (std::size_t k = 0; k < 2; ++k) count[k] = std::min(kMany, count[k] + more.count[flipped ? 1 - k : k]);
    }
  };
  /// Uses beyond this are not counted.
  static constexpr std::uint64_t kMany = std::uint64_t{1} << 62;

  std::string text(int position) {
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
        return list("sum", position, is_sum);
      case ExpressionKind::kMultiply:
      case ExpressionKind::kDivide:
        return list("product", position, is_product);
      case ExpressionKind::kMax:
      case ExpressionKind::kMin:
        return sorted_call(node);
      default:
        break;
    }
    Labels own = renamed(node.own);
    std::sort(own.begin(), own.end());
    return fmt::format("{}[{}]({})", to_string(node.kind), fmt::join(own, ","), name(node.a));
  }

  static bool is_sum(ExpressionKind kind) {
    return kind == ExpressionKind::kAdd || kind == ExpressionKind::kSubtract || kind == ExpressionKind::kNegate;
  }
  static bool is_product(ExpressionKind kind) {
    return kind == ExpressionKind::kMultiply || kind == ExpressionKind::kDivide;
  }

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

  /// The terms of a sum, or factors of a product, with how often each is there. Users stand behind their operands, so
  /// one walk backwards meets every part of a nested sum once.
  std::string list(const char* kind, int position, bool (*belongs)(ExpressionKind)) {
    std::vector<Uses> uses(static_cast<std::size_t>(position) + 1);
    uses.back().count[0] = 1;
    std::vector<std::string> parts;
    for (int p = position; p >= 0; --p) {
      const Uses own = uses[static_cast<std::size_t>(p)];
      if (own.count[0] == 0 && own.count[1] == 0) continue;
      if (own.count[0] == kMany || own.count[1] == kMany) return names_.fresh();
      const FormulaNode& node = at(p);
      if (!belongs(node.kind)) {
        parts.push_back(fmt::format("{}+{}-{}", name(p), own.count[0], own.count[1]));
        continue;
      }
      const bool flips = node.kind == ExpressionKind::kSubtract || node.kind == ExpressionKind::kDivide;
      uses[static_cast<std::size_t>(node.a)].add(own, node.kind == ExpressionKind::kNegate);
      if (node.b >= 0) uses[static_cast<std::size_t>(node.b)].add(own, flips);
    }
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}({})", kind, fmt::join(parts, " "));
  }

  std::string sorted_call(const FormulaNode& node) {
    std::vector<std::string> parts{name(node.a), name(node.b)};
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}({})", to_string(node.kind), fmt::join(parts, ", "));
  }

  const Formula& formula_;
  const Exchange& exchange_;
  bool rename_;
  TextNames& names_;
  std::vector<std::string> known_;  // by position
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
  TextNames names;
  return Canon(formula, exchange, false, names).name(node) == Canon(formula, exchange, true, names).name(node);
}

}  // namespace trntensor::epilogue
