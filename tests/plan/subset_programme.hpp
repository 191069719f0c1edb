// The cheapest order without outer products of a connected network, by dynamic programming over all sets of operands.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "trntensor/einsum/spec.hpp"

namespace trntensor::testing {

/// Independent of the planner: every set of operands is looked at in the order of its bits, and every way to halve it;
/// no bounds, no pruning. 3^n steps for n operands, so for up to 14 or so, and at most 64 labels.
class SubsetProgramme {
 public:
  explicit SubsetProgramme(const Spec& spec) : spec_(spec), sets_(std::size_t{1} << spec.inputs.size()) {
    for (std::size_t label = 0; label < spec.extents.size(); ++label) {
      std::size_t owners = 0;
      for (std::size_t t = 0; t < spec.inputs.size(); ++t) {
        if (std::ranges::count(spec.inputs[t], static_cast<Label>(label)) > 0) owners |= std::size_t{1} << t;
      }
      const bool kept = std::ranges::count(spec.output, static_cast<Label>(label)) > 0;
      for (std::size_t set = 1; set < sets_.size(); ++set) {
        const bool needed = (owners & set) != 0 && (kept || (owners & ~set) != 0);
        if (needed) sets_[set].labels |= std::uint64_t{1} << label;
      }
    }
  }

  /// Fewest multiply-adds; infinite when the network is not connected.
  [[nodiscard]] double least_macs() {
    for (std::size_t set = 1; set < sets_.size(); ++set) {
      if (std::has_single_bit(set)) {
        sets_[set].macs = 0;
        continue;
      }
      for (std::size_t half = (set - 1) & set; half > (set ^ half); half = (half - 1) & set) {
        sets_[set].macs = std::min(sets_[set].macs, macs_of(sets_[half], sets_[set ^ half]));
      }
    }
    return sets_.back().macs;
  }

 private:
  /// The result of a set of operands.
  struct Result {
    std::uint64_t labels = 0;
    double macs = std::numeric_limits<double>::infinity();
  };

  [[nodiscard]] double macs_of(const Result& a, const Result& b) const {
    if ((a.labels & b.labels) == 0) return std::numeric_limits<double>::infinity();
    double product = 1;
    for (std::uint64_t rest = a.labels | b.labels; rest != 0; rest &= rest - 1) {
      product *= static_cast<double>(spec_.extents[static_cast<std::size_t>(std::countr_zero(rest))]);
    }
    return a.macs + b.macs + product;
  }

  const Spec& spec_;
  std::vector<Result> sets_;
};

}  // namespace trntensor::testing
