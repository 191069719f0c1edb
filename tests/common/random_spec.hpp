// Random contractions, the same for a seed on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::testing {

struct RandomSpecOptions {
  int min_operands = 1;
  int max_operands = 6;
  int max_rank = 8;
  std::int64_t max_points = 20000;  ///< of the iteration space, and elements of any operand
  bool broadcast = true;            ///< extents of 1 against others
  bool ellipsis = true;
  bool repeated = true;         ///< a label twice in an operand
  bool implicit_output = true;  ///< sometimes no "->"
  bool zero_extents = true;     ///< rarely
};

/// Subscripts with the shapes they fit. Prints all that a rerun needs.
struct RandomSpec {
  std::uint64_t seed = 0;
  std::string subscripts;
  std::vector<Shape> shapes;

  [[nodiscard]] Spec parse() const { return parse_spec(subscripts, shapes); }
  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    text << '"' << subscripts << "\" shapes";
    for (const Shape& shape : shapes) text << ' ' << format_shape(shape);
    text << " (seed " << seed << ')';
    return text.str();
  }
  friend std::ostream& operator<<(std::ostream& stream, const RandomSpec& spec) { return stream << spec.describe(); }
};

namespace detail {

class SpecGenerator {
 public:
  SpecGenerator(std::uint64_t seed, const RandomSpecOptions& options)
      : options_(options), random_(seed), result_{seed, {}, {}} {}

  RandomSpec run() {
    choose_labels();
    const auto operands = random_.integer(options_.min_operands, options_.max_operands);
    for (std::int64_t operand = 0; operand < operands; ++operand) add_operand(operand > 0);
    if (!options_.implicit_output || !chance(0.15)) add_output();
    return std::move(result_);
  }

 private:
  struct NamedLabel {
    std::string name;
    std::int64_t extent = 1;
    bool used = false;
  };

  bool chance(double probability) { return random_.uniform() < probability; }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(count) - 1));
  }
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  std::int64_t random_extent() {
    constexpr std::array<std::int64_t, 16> kExtents{1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 7, 8, 11, 16, 17, 33};
    if (options_.zero_extents && chance(0.01)) return 0;
    return kExtents[below(kExtents.size())];
  }

  // Letters of several scripts, and extents whose product stays in bounds.
  void choose_labels() {
    std::vector<std::string> names;
    for (char letter = 'a'; letter <= 'z'; ++letter) names.emplace_back(1, letter);
    for (char letter = 'A'; letter <= 'Z'; ++letter) names.emplace_back(1, letter);
    for (const char* letter : {"é", "ß", "α", "Ω", "ж", "א", "字"}) names.emplace_back(letter);
    shuffle(names);
    const auto count = static_cast<std::size_t>(random_.integer(0, 2 * options_.max_operands));
    std::int64_t points = 1;
    const auto bounded_extent = [&] {
      std::int64_t extent = random_extent();
      if (points * std::max<std::int64_t>(extent, 1) > options_.max_points) extent = 1;
      points *= std::max<std::int64_t>(extent, 1);
      return extent;
    };
    if (options_.ellipsis && chance(0.3)) {
      for (std::int64_t axes = random_.integer(0, 3); axes > 0; --axes) ellipsis_.push_back(bounded_extent());
    }
    for (std::size_t i = 0; i < count; ++i) labels_.push_back({names[i], bounded_extent(), false});
  }

  // An axis is taken only if the operand stays in bounds (a diagonal multiplies its extents).
  bool fits(std::int64_t extent, std::int64_t& elements) const {
    const std::int64_t grown = elements * std::max<std::int64_t>(extent, 1);
    if (grown > options_.max_points) return false;
    elements = grown;
    return true;
  }

  void add_operand(bool needs_comma) {
    if (needs_comma) result_.subscripts += ',';
    Shape shape;
    std::int64_t elements = 1;
    auto rank = random_.integer(0, std::min(options_.max_rank, static_cast<int>(random_.integer(1, 8))));
    std::vector<std::int64_t> extents(labels_.size());
    std::vector<bool> here(labels_.size(), false);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      extents[i] = options_.broadcast && chance(0.08) ? 1 : labels_[i].extent;
    }
    const std::int64_t covered = ellipsis_.empty() || chance(0.3)
                                     ? -1
                                     : std::min(rank, random_.integer(0, static_cast<std::int64_t>(ellipsis_.size())));
    if (covered > 0) rank -= covered;
    const std::int64_t ellipsis_at = random_.integer(0, rank);
    for (std::int64_t axis = 0; axis <= rank; ++axis) {
      if (covered >= 0 && axis == ellipsis_at) add_ellipsis(static_cast<std::size_t>(covered), shape, elements);
      if (axis == rank || labels_.empty()) continue;
      const std::size_t label = below(labels_.size());
      if ((here[label] && !(options_.repeated && chance(0.5))) || !fits(extents[label], elements)) continue;
      here[label] = true;
      labels_[label].used = true;
      result_.subscripts += labels_[label].name;
      if (chance(0.02)) result_.subscripts += ' ';
      shape.push_back(extents[label]);
    }
    result_.shapes.push_back(shape);
  }

  void add_ellipsis(std::size_t covered, Shape& shape, std::int64_t& elements) {
    result_.subscripts += "...";
    for (std::size_t axis = ellipsis_.size() - covered; axis < ellipsis_.size(); ++axis) {
      std::int64_t extent = options_.broadcast && chance(0.15) ? 1 : ellipsis_[axis];
      if (!fits(extent, elements)) extent = 1;
      shape.push_back(extent);
    }
  }

  void add_output() {
    std::vector<std::string> kept;
    const double keep = random_.uniform();
    for (const NamedLabel& label : labels_) {
      if (label.used && chance(keep)) kept.push_back(label.name);
    }
    if (!ellipsis_.empty() && chance(0.7)) kept.emplace_back("...");
    shuffle(kept);
    result_.subscripts += chance(0.1) ? " -> " : "->";
    for (const std::string& symbol : kept) result_.subscripts += symbol;
  }

  const RandomSpecOptions& options_;
  Random random_;
  RandomSpec result_;
  std::vector<NamedLabel> labels_;
  std::vector<std::int64_t> ellipsis_;
};

}  // namespace detail

/// A random contraction. Every label, broadcast axis and diagonal is legal, so parse_spec must take it.
inline RandomSpec random_spec(std::uint64_t seed, const RandomSpecOptions& options = {}) {
  return detail::SpecGenerator(seed, options).run();
}

}  // namespace trntensor::testing
