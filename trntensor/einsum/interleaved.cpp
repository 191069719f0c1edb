// The interleaved form: lists of numbers in place of letters.
#include <fmt/format.h>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/resolve.hpp"

namespace trntensor {
namespace notation {
namespace {

// Writes the lists out as a text, so that messages can point into it.
class Renderer {
 public:
  Term list(std::span<const std::int64_t> ids) {
    Term term;
    term.span.begin = text_.size();
    text_ += '[';
    for (const std::int64_t id : ids) {
      if (!term.symbols.empty()) text_ += ", ";
      const std::size_t begin = text_.size();
      text_ += id == kEllipsis ? "..." : fmt::format_int(id).str();
      term.symbols.push_back({id, {begin, text_.size()}});
    }
    text_ += ']';
    term.span.end = text_.size();
    return term;
  }

  void separator(std::string_view symbol) { text_ += symbol; }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

void check_ellipses(const Notation& notation, const Term& term, const std::optional<std::size_t>& operand) {
  bool found = false;
  for (std::size_t i = 0; i < term.symbols.size(); ++i) {
    if (term.symbols[i].id != kEllipsis) continue;
    if (found) {
      throw_at(notation.text, term.symbols[i].span,
               fmt::format("a second ellipsis among the labels of {}, at position {}",
                           operand ? fmt::format("operand {}", *operand) : "the output", i),
               "a list of labels takes one ellipsis at most");
    }
    found = true;
  }
}

// Refers to the renderer's text.
Notation render(Renderer& renderer, std::span<const std::vector<std::int64_t>> inputs,
                const std::optional<std::vector<std::int64_t>>& output) {
  Notation notation;
  notation.style = Style::kNumbers;
  for (const std::vector<std::int64_t>& input : inputs) {
    if (!notation.inputs.empty()) renderer.separator(", ");
    notation.inputs.push_back(renderer.list(input));
  }
  if (output) {
    renderer.separator(" -> ");
    notation.output = renderer.list(*output);
  }
  notation.text = renderer.text();
  for (std::size_t operand = 0; operand < inputs.size(); ++operand) {
    check_ellipses(notation, notation.inputs[operand], operand);
  }
  if (output) check_ellipses(notation, *notation.output, std::nullopt);
  return notation;
}

}  // namespace
}  // namespace notation

Spec make_spec(std::span<const std::vector<std::int64_t>> inputs,
               const std::optional<std::vector<std::int64_t>>& output, std::span<const Shape> shapes) {
  notation::Renderer renderer;
  return notation::resolve(notation::render(renderer, inputs, output), shapes);
}

}  // namespace trntensor
