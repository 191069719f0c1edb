// The labels of the result, written or implied.
#include <fmt/format.h>

#include <algorithm>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/resolve.hpp"

namespace trntensor::notation {
namespace {

// NumPy's rule: the ellipsis first, then every label that stands on one axis only, sorted.
Labels implicit_output(const Numbering& numbering) {
  Labels named;
  for (std::size_t label = 0; label < numbering.ids.size(); ++label) {
    if (numbering.ids[label] != kEllipsis && numbering.uses[label] == 1) named.push_back(static_cast<Label>(label));
  }
  std::ranges::sort(named, {}, [&](Label label) { return numbering.ids[static_cast<std::size_t>(label)]; });
  Labels output = numbering.ellipsis;
  output.insert(output.end(), named.begin(), named.end());
  return output;
}

[[noreturn]] void refuse_unknown(const Notation& notation, const Symbol& symbol, const Numbering& numbering,
                                 const Spec& spec) {
  const std::string name = quoted_label(notation.style, symbol.id);
  std::vector<std::string> known;
  for (std::size_t label = 0; label < spec.names.size(); ++label) {
    if (numbering.ids[label] != kEllipsis) known.push_back(spec.names[label]);
  }
  std::string fix = known.empty() ? "no operand has a label; leave the output empty"
                                  : fmt::format("use labels of the operands ({})", join_names(known));
  if (notation.style == Style::kLetters) {
    const auto other = static_cast<std::int64_t>(other_case(static_cast<char32_t>(symbol.id)));
    if (numbering.table.find(other) != LabelTable::kNone) {
      fix = fmt::format("did you mean {}? Capital and small letters are different labels",
                        quoted_label(notation.style, other));
    }
  }
  throw_at(notation.text, symbol.span, fmt::format("output label {} is in no operand", name), fix);
}

Labels explicit_output(const Notation& notation, const Numbering& numbering, const Spec& spec) {
  Labels output;
  std::vector<bool> taken(numbering.ids.size(), false);
  for (const Symbol& symbol : notation.output->symbols) {
    if (symbol.id == kEllipsis) {
      output.insert(output.end(), numbering.ellipsis.begin(), numbering.ellipsis.end());
      continue;
    }
    const Label label = numbering.table.find(symbol.id);
    if (label == LabelTable::kNone) refuse_unknown(notation, symbol, numbering, spec);
    if (taken[static_cast<std::size_t>(label)]) {
      throw_at(notation.text, symbol.span,
               fmt::format("output label {} is repeated", quoted_label(notation.style, symbol.id)),
               "write each label once in the output");
    }
    taken[static_cast<std::size_t>(label)] = true;
    output.push_back(label);
  }
  return output;
}

}  // namespace

void set_output(const Notation& notation, const Numbering& numbering, Spec& spec) {
  spec.output = notation.output ? explicit_output(notation, numbering, spec) : implicit_output(numbering);
}

}  // namespace trntensor::notation
