#include "trntensor/plan/label_text.hpp"

#include "trntensor/einsum/utf8.hpp"

namespace trntensor::plan {
namespace {

std::string join_letters(const Labels& labels, const std::vector<std::string>& letters) {
  std::string text;
  for (const Label label : labels) text += letters[static_cast<std::size_t>(label)];
  return text;
}

}  // namespace

// Read off the text itself, so that steps and contraction always agree.
std::vector<std::string> label_letters(const Spec& spec) {
  std::vector<std::string> letters(spec.extents.size());
  const std::string text = spec.to_string();
  std::size_t position = 0;
  for (const Labels& operand : spec.axes) {
    for (const Label label : operand) {
      const std::size_t bytes = notation::decode_at(text, position).bytes;
      letters[static_cast<std::size_t>(label)] = text.substr(position, bytes);
      position += bytes;
    }
    ++position;  // the comma or the arrow
  }
  return letters;
}

std::string step_text(const PlanStep& step, const std::vector<std::string>& letters) {
  std::string text;
  for (const Labels& input : step.inputs) {
    if (&input != &step.inputs.front()) text += ',';
    text += join_letters(input, letters);
  }
  return text.append("->").append(join_letters(step.output, letters));
}

}  // namespace trntensor::plan
