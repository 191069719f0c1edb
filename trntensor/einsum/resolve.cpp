#include "trntensor/einsum/resolve.hpp"

#include <fmt/format.h>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/parse.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace notation {
namespace {

constexpr std::string_view kEllipsisPrefix = "...";

// Hands out labels in the order they are met.
class Numberer {
 public:
  Numberer(Style style, std::size_t ellipsis_rank, Spec& spec) : style_(style), spec_(spec) {
    numbering_.ellipsis.assign(ellipsis_rank, LabelTable::kNone);
  }

  Label named(std::int64_t id) {
    Label label = numbering_.table.find(id);
    if (label == LabelTable::kNone) {
      label = add(id, label_name(style_, id));
      numbering_.table.set(id, label);
    }
    return use(label);
  }

  Label of_ellipsis(std::size_t axis) {
    Label& label = numbering_.ellipsis[axis];
    if (label == LabelTable::kNone) label = add(kEllipsis, fmt::format("{}{}", kEllipsisPrefix, axis));
    return use(label);
  }

  Numbering take() { return std::move(numbering_); }

 private:
  Label add(std::int64_t id, std::string name) {
    spec_.names.push_back(std::move(name));
    numbering_.ids.push_back(id);
    numbering_.uses.push_back(0);
    return static_cast<Label>(numbering_.ids.size() - 1);
  }

  Label use(Label label) {
    ++numbering_.uses[static_cast<std::size_t>(label)];
    return label;
  }

  Style style_;
  Spec& spec_;
  Numbering numbering_;
};

void check_result_size(const Notation& notation, const Spec& spec) {
  try {
    static_cast<void>(checked_size(spec.output_shape()));
  } catch (const Error&) {
    const Span whole{0, notation.text.size()};
    throw_at(notation.text, notation.output ? notation.output->span : whole,
             fmt::format("the result of shape {} is too large: its extents multiply to 2^63 or more",
                         format_shape(spec.output_shape())),
             "sum over more labels, or slice the operands");
  }
}

}  // namespace

Numbering number_axes(const Notation& notation, std::span<const Shape> shapes, std::size_t ellipsis_rank, Spec& spec) {
  Numberer numberer(notation.style, ellipsis_rank, spec);
  spec.axes.reserve(shapes.size());
  for (std::size_t operand = 0; operand < shapes.size(); ++operand) {
    const Term& term = notation.inputs[operand];
    Labels axes;
    axes.reserve(shapes[operand].size());
    for (const Symbol& symbol : term.symbols) {
      if (symbol.id != kEllipsis) {
        axes.push_back(numberer.named(symbol.id));
        continue;
      }
      // Right-aligned: a shorter ellipsis stands for the last axes of the longest.
      const std::size_t covered = shapes[operand].size() + 1 - term.symbols.size();
      for (std::size_t axis = ellipsis_rank - covered; axis < ellipsis_rank; ++axis) {
        axes.push_back(numberer.of_ellipsis(axis));
      }
    }
    spec.axes.push_back(std::move(axes));
  }
  return numberer.take();
}

std::string mention(const Notation& notation, const std::string& label_name) {
  if (label_name.starts_with(kEllipsisPrefix)) {
    return fmt::format("axis {} of the ellipsis", label_name.substr(kEllipsisPrefix.size()));
  }
  return notation.style == Style::kLetters ? fmt::format("label '{}'", label_name)
                                           : fmt::format("label {}", label_name);
}

Spec resolve(const Notation& notation, std::span<const Shape> shapes) {
  Spec spec;
  const std::size_t ellipsis_rank = check_ranks(notation, shapes);
  const Numbering numbering = number_axes(notation, shapes, ellipsis_rank, spec);
  set_output(notation, numbering, spec);
  set_extents(notation, shapes, spec);
  check_result_size(notation, spec);
  return spec;
}

}  // namespace notation

Spec parse_spec(std::string_view subscripts, std::span<const Shape> shapes) {
  return notation::resolve(notation::parse(subscripts), shapes);
}

}  // namespace trntensor
