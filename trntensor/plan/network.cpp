#include "trntensor/plan/network.hpp"

#include <algorithm>

namespace trntensor::plan {

LabelSet set_of(const Labels& labels, std::size_t count) {
  LabelSet set(count);
  for (const Label label : labels) set.insert(static_cast<std::size_t>(label));
  return set;
}

bool has_empty_label(const Network& network) {
  return std::find(network.extents.begin(), network.extents.end(), 0.0) != network.extents.end();
}

Network network_of(const Spec& spec) {
  const std::size_t count = spec.extents.size();
  Network network;
  network.extents.assign(spec.extents.begin(), spec.extents.end());
  for (const Labels& labels : spec.inputs) network.tensors.push_back(set_of(labels, count));
  network.output = set_of(spec.output, count);
  return network;
}

}  // namespace trntensor::plan
