// Shapes from one size per label.
#include <fmt/format.h>

#include <set>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/parse.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace notation {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

class SizeReader {
 public:
  SizeReader(const Notation& notation, const Sizes& sizes) : notation_(notation), sizes_(sizes) {
    for (const auto& [name, size] : sizes) {
      if (size < 0) {
        throw_invalid(fmt::format("label '{}' has the negative size {}", name, size), {}, "sizes are 0 or more");
      }
    }
  }

  std::vector<Shape> run() {
    std::vector<Shape> shapes;
    shapes.reserve(notation_.inputs.size());
    for (const Term& term : notation_.inputs) {
      Shape& shape = shapes.emplace_back();
      for (const Symbol& symbol : term.symbols) shape.push_back(size_of(symbol));
    }
    check_all_used();
    return shapes;
  }

 private:
  std::int64_t size_of(const Symbol& symbol) {
    if (symbol.id == kEllipsis) {
      throw_at(notation_.text, symbol.span, "the ellipsis has no size of its own",
               "write a label for each axis, or give the operands' shapes");
    }
    const std::string name = label_name(notation_.style, symbol.id);
    const auto found = sizes_.find(name);
    if (found == sizes_.end()) {
      throw_at(notation_.text, symbol.span, fmt::format("label '{}' has no size", name), fix_for_missing(symbol));
    }
    used_.emplace(name);
    return found->second;
  }

  [[nodiscard]] std::string fix_for_missing(const Symbol& symbol) const {
    const std::string other = encode(other_case(static_cast<char32_t>(symbol.id)));
    if (sizes_.contains(other)) {
      return fmt::format("there is a size for '{}'; capital and small letters are different labels", other);
    }
    const std::string name = label_name(notation_.style, symbol.id);
    if (sizes_.empty()) return fmt::format("give a size for each label, such as {}=10", name);
    std::vector<std::string> known;
    for (const auto& [key, size] : sizes_) known.push_back(key);
    return fmt::format("give a size for '{}'; there are sizes for {}", name, join_names(known));
  }

  // A label of the output only is left to parse_spec, which says what is wrong with it.
  void check_all_used() {
    if (notation_.output) {
      for (const Symbol& symbol : notation_.output->symbols) used_.emplace(label_name(notation_.style, symbol.id));
    }
    for (const auto& [name, size] : sizes_) {
      if (used_.contains(name)) continue;
      const std::vector<std::string> labels(used_.begin(), used_.end());
      throw_invalid(fmt::format("there is a size for '{}' but no such label", name), {},
                    labels.empty() ? "remove it; the subscripts have no labels"
                                   : fmt::format("remove it; the labels are {}", join_names(labels)));
    }
  }

  const Notation& notation_;
  const Sizes& sizes_;
  std::set<std::string> used_;
};

}  // namespace
}  // namespace notation

std::vector<Shape> shapes_from_sizes(std::string_view subscripts, const std::map<std::string, std::int64_t>& sizes) {
  const notation::Notation notation = notation::parse(subscripts);
  return notation::SizeReader(notation, sizes).run();
}

}  // namespace trntensor
