#include "trntensor/plan/cost.hpp"

#include <bit>
#include <cstdint>

namespace trntensor::plan {

double product(const LabelSet& labels, std::span<const double> extents) {
  double result = 1;
  labels.for_each([&](std::size_t label) { result = bounded_product(result, extents[label]); });
  return result;
}

LabelUses::LabelUses(const Network& network)
    : extents_(network.extents),
      count_(network.extents.size(), 0),
      once_(network.extents.size()),
      twice_(network.extents.size()) {
  for (const LabelSet& tensor : network.tensors) add(tensor, 1);
  add(network.output, 1);
}

void LabelUses::add(const LabelSet& labels, int amount) {
  labels.for_each([&](std::size_t label) {
    const int count = count_[label] += amount;
    count == 1 ? once_.insert(label) : once_.erase(label);
    count == 2 ? twice_.insert(label) : twice_.erase(label);
  });
}

LabelSet LabelUses::presummed(const LabelSet& a, const LabelSet& b) const { return (a ^ b) & once_; }

LabelSet LabelUses::result(const LabelSet& a, const LabelSet& b) const {
  return ((a | b) - (a & b & twice_)) - presummed(a, b);
}

// The inner loop of the greedy search, hence word by word and without intermediate sets.
PairCost LabelUses::cost(const LabelSet& a, const LabelSet& b) const noexcept {
  PairCost cost{1, 1};
  const auto in_a = a.words();
  const auto in_b = b.words();
  for (std::size_t w = 0; w < in_a.size(); ++w) {
    const std::uint64_t summed_before = (in_a[w] ^ in_b[w]) & once_.words()[w];
    const std::uint64_t summed = in_a[w] & in_b[w] & twice_.words()[w];
    for (std::uint64_t word = (in_a[w] | in_b[w]) & ~summed_before; word != 0; word &= word - 1) {
      const double extent = extents_[64 * w + static_cast<std::size_t>(std::countr_zero(word))];
      cost.macs = bounded_product(cost.macs, extent);
      if ((word & (~word + 1) & summed) == 0) cost.elements = bounded_product(cost.elements, extent);
    }
  }
  return cost;
}

void LabelUses::replace(const LabelSet& a, const LabelSet& b, const LabelSet& result) {
  add(a, -1);
  add(b, -1);
  add(result, 1);
}

}  // namespace trntensor::plan
