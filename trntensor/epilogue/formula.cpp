#include "trntensor/epilogue/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "trntensor/einsum/utf8.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::epilogue {
namespace {

bool same_bits(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

/// For an error message.
std::string quote(const Expression& expression) {
  constexpr std::size_t kMost = 400;
  return expression.to_string(kMost);
}

class Binder {
 public:
  Binder(const Spec& spec, std::span<const TensorName> tensors) : spec_(spec), tensors_(tensors) {
    formula_.element = spec.output;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      for (std::size_t other = 0; other < k; ++other) {
        if (tensors[other].name != tensors[k].name) continue;
        throw_invalid(fmt::format("tensors {} and {} are both named \"{}\"", other, k, tensors[k].name), "epilogue",
                      "give each tensor a name of its own");
      }
    }
  }

  void add_root(const Expression& expression) {
    root_ = &expression;
    formula_.roots.push_back(bind_node(expression));
  }

  Formula take() { return std::move(formula_); }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& fix) const {
    throw_invalid(what, fmt::format("epilogue {}", quote(*root_)), fix);
  }

  [[nodiscard]] const std::string& name_of(Label label) const { return spec_.names[static_cast<std::size_t>(label)]; }
  [[nodiscard]] std::int64_t extent_of(Label label) const { return spec_.extents[static_cast<std::size_t>(label)]; }

  [[nodiscard]] std::string result_labels() const {
    std::string text;
    for (const Label label : spec_.output) text += name_of(label);
    return text;
  }

  /// The labels of a node: distinct labels of the result.
  Labels read_labels(const Expression& expression) const {
    Labels labels;
    for (const std::string& letter : letters_of(expression.node().labels)) {
      const auto known =
          std::find_if(spec_.output.begin(), spec_.output.end(), [&](Label label) { return name_of(label) == letter; });
      if (known == spec_.output.end()) {
        refuse(fmt::format("\"{}\" in {} is no label of the result", letter, quote(expression)),
               fmt::format("use labels of \"{}\"", result_labels()));
      }
      if (contains(labels, *known)) {
        refuse(fmt::format("label \"{}\" is twice in {}", letter, quote(expression)), "give each label once");
      }
      labels.push_back(*known);
    }
    return labels;
  }

  /// Its position; what several expressions share is bound once.
  int bind_node(const Expression& expression) {
    const ExpressionNode& node = expression.node();
    if (const auto known = positions_.find(&node); known != positions_.end()) return known->second;
    FormulaNode bound;
    bound.kind = node.kind;
    bound.value = node.kind == ExpressionKind::kConstant ? node.value : 0;
    if (!node.operands.empty()) bound.a = bind_node(node.operands[0]);
    if (node.operands.size() > 1) bound.b = bind_node(node.operands[1]);
    if (node.kind == ExpressionKind::kElement) {
      bind_element(expression, bound);
    } else if (node.kind == ExpressionKind::kTensor) {
      bind_tensor(expression, bound);
    } else if (is_reduction(node.kind)) {
      bind_reduction(expression, bound);
    } else {
      for (const int operand : {bound.a, bound.b}) {
        if (operand < 0) continue;
        const Labels& more = formula_.nodes[static_cast<std::size_t>(operand)].labels;
        bound.labels.insert(bound.labels.end(), more.begin(), more.end());
      }
      bound.labels = in_order(bound.labels, spec_.output);
    }
    return positions_[&node] = position_of(bound);
  }

  void bind_element(const Expression& expression, FormulaNode& bound) const {
    bound.labels = spec_.output;
    bound.own = expression.node().labels.empty() ? spec_.output : read_labels(expression);
    if (bound.own.size() != spec_.output.size()) {
      refuse(fmt::format("{} has {} labels, the result {}", quote(expression), bound.own.size(), spec_.output.size()),
             fmt::format("name every label of \"{}\", in another order", result_labels()));
    }
    for (std::size_t d = 0; d < bound.own.size(); ++d) {
      const Label there = spec_.output[d];
      if (extent_of(there) == extent_of(bound.own[d])) continue;
      refuse(fmt::format("{} puts \"{}\" of extent {} in place of \"{}\" of extent {}", quote(expression),
                         name_of(bound.own[d]), extent_of(bound.own[d]), name_of(there), extent_of(there)),
             "only labels of one extent can change places");
    }
  }

  void bind_tensor(const Expression& expression, FormulaNode& bound) const {
    const ExpressionNode& node = expression.node();
    const auto known = std::find_if(tensors_.begin(), tensors_.end(),
                                    [&](const TensorName& tensor) { return tensor.name == node.name; });
    if (known == tensors_.end()) {
      std::string names;
      for (const TensorName& tensor : tensors_) names.append(names.empty() ? "" : ", ").append(tensor.name);
      refuse(fmt::format("no tensor is named \"{}\"", node.name),
             names.empty() ? std::string("give the tensors with their names") : fmt::format("there are {}", names));
    }
    bound.tensor = static_cast<int>(known - tensors_.begin());
    bound.own = read_labels(expression);
    const Shape& shape = known->shape;
    if (bound.own.size() != shape.size()) {
      refuse(fmt::format("{} has {} labels, its tensor of shape {} has {} axes", quote(expression), bound.own.size(),
                         format_shape(shape), shape.size()),
             "give one label per axis");
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == extent_of(bound.own[d]) || shape[d] == 1) continue;
      refuse(fmt::format("{}: axis {} of shape {} has extent {}, label \"{}\" has {}", quote(expression), d,
                         format_shape(shape), shape[d], name_of(bound.own[d]), extent_of(bound.own[d])),
             "give a tensor whose extents are those of its labels, or 1");
    }
    bound.labels = in_order(bound.own, spec_.output);
  }

  void bind_reduction(const Expression& expression, FormulaNode& bound) const {
    const Labels& from = formula_.nodes[static_cast<std::size_t>(bound.a)].labels;
    const Labels gone = read_labels(expression);
    if (gone.empty()) refuse(fmt::format("{} is over no label", quote(expression)), "name the labels to reduce");
    for (const Label label : gone) {
      if (contains(from, label)) continue;
      refuse(fmt::format("{} is over \"{}\", on which its argument does not depend", quote(expression), name_of(label)),
             "reduce labels of the argument only");
    }
    bound.own = in_order(gone, spec_.output);
    for (const Label label : from) {
      if (!contains(gone, label)) bound.labels.push_back(label);
    }
  }

  /// Of the node among those there are, or added.
  int position_of(const FormulaNode& node) {
    const auto same = [&](const FormulaNode& other) {
      return node.kind == ExpressionKind::kConstant
                 ? other.kind == ExpressionKind::kConstant && same_bits(node.value, other.value)
                 : node == other;
    };
    const auto known = std::find_if(formula_.nodes.begin(), formula_.nodes.end(), same);
    const auto position = known - formula_.nodes.begin();
    if (known == formula_.nodes.end()) formula_.nodes.push_back(node);
    return static_cast<int>(position);
  }

  const Spec& spec_;
  std::span<const TensorName> tensors_;
  const Expression* root_ = nullptr;
  std::map<const ExpressionNode*, int> positions_;
  Formula formula_;
};

}  // namespace

std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> letters;
  for (std::size_t at = 0; at < text.size();) {
    const notation::Decoded decoded = notation::decode_at(text, at);
    const std::string letter(text.substr(at, decoded.bytes));
    at += decoded.bytes;
    if (letter == " ") continue;
    const bool joins = decoded.valid && notation::is_mark(decoded.code) && !letters.empty();
    if (!joins) {
      letters.push_back(letter);
      continue;
    }
    // An accent after its letter is one label with it, as in the subscripts.
    const char32_t base = notation::decode_at(letters.back(), 0).code;
    const char32_t joined = notation::compose(base, decoded.code);
    letters.back() = joined != 0 ? notation::encode(joined) : letters.back() + letter;
  }
  return letters;
}

Formula bind(std::span<const Expression> expressions, const Spec& spec, std::span<const TensorName> tensors) {
  Binder binder(spec, tensors);
  for (const Expression& expression : expressions) binder.add_root(expression);
  return binder.take();
}

}  // namespace trntensor::epilogue
