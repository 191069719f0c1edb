// Random expressions over the labels of a contraction's result.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/epilogue/expression.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::testing {

/// Sums, differences, products, maxima and reductions of elements, small constants and tensors: whole numbers stay
/// whole. Tensors are made up as they are needed, with their labels.
class ExpressionGenerator {
 public:
  struct MadeUp {
    std::string name;
    Shape shape;
  };

  ExpressionGenerator(Random& random, const Spec& spec) : random_(random), spec_(spec) {}

  Expression run(int depth) {
    const Drawn drawn = draw(depth);
    return drawn.expression;
  }

  [[nodiscard]] const std::vector<MadeUp>& tensors() const noexcept { return tensors_; }

 private:
  struct Drawn {
    Expression expression;
    Labels labels;
  };

  [[nodiscard]] const std::string& name(Label label) const { return spec_.names[static_cast<std::size_t>(label)]; }
  [[nodiscard]] std::int64_t extent(Label label) const { return spec_.extents[static_cast<std::size_t>(label)]; }

  Labels some(const Labels& labels) {
    Labels chosen;
    for (const Label label : labels) {
      if (random_.integer(0, 1) == 1) chosen.push_back(label);
    }
    return chosen;
  }

  std::string text(const Labels& labels) const {
    std::string letters;
    for (const Label label : labels) letters += name(label);
    return letters;
  }

  Drawn draw(int depth) {
    const auto kind = random_.integer(0, depth <= 0 ? 3 : 11);
    if (kind == 0) return {static_cast<double>(random_.integer(-2, 2)), {}};
    if (kind == 1) return draw_tensor();
    if (kind <= 3) return draw_element();
    if (kind <= 5) return draw_reduction(depth);
    if (kind == 6) {
      const Drawn inner = draw(depth - 1);
      return {-inner.expression, inner.labels};
    }
    const Drawn a = draw(depth - 1);
    const Drawn b = draw(depth - 1);
    Labels labels = a.labels;
    for (const Label label : b.labels) {
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
    switch (kind) {
      case 7:
        return {a.expression + b.expression, labels};
      case 8:
        return {a.expression - b.expression, labels};
      case 9:
        return {epilogue::max(a.expression, b.expression), labels};
      case 10:
        return {epilogue::min(a.expression, b.expression), labels};
      default:
        return {a.expression * b.expression, labels};
    }
  }

  Drawn draw_element() {
    Labels places = spec_.output;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto other = static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(places.size()) - 1));
      if (extent(places[k]) == extent(places[other]) && random_.integer(0, 2) == 0) std::swap(places[k], places[other]);
    }
    if (places == spec_.output) return {epilogue::element(), places};
    return {epilogue::element(text(places)), spec_.output};
  }

  Drawn draw_tensor() {
    Labels labels = some(spec_.output);
    if (random_.integer(0, 1) == 1) std::reverse(labels.begin(), labels.end());
    MadeUp made;
    made.name = std::string("t").append(std::to_string(tensors_.size()));
    for (const Label label : labels) made.shape.push_back(random_.integer(0, 5) == 0 ? 1 : extent(label));
    tensors_.push_back(made);
    return {epilogue::tensor(made.name, text(labels)), labels};
  }

  Drawn draw_reduction(int depth) {
    const Drawn inner = draw(depth - 1);
    const Labels gone = some(inner.labels);
    if (gone.empty()) return inner;
    Labels left;
    for (const Label label : inner.labels) {
      if (std::find(gone.begin(), gone.end(), label) == gone.end()) left.push_back(label);
    }
    const bool is_sum = random_.integer(0, 2) > 0;
    return {is_sum ? epilogue::sum(text(gone), inner.expression) : epilogue::max(text(gone), inner.expression), left};
  }

  Random& random_;
  const Spec& spec_;
  std::vector<MadeUp> tensors_;
};

}  // namespace trntensor::testing
