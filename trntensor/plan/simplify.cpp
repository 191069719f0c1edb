#include "trntensor/plan/simplify.hpp"

#include <map>
#include <numeric>
#include <unordered_map>

#include "trntensor/plan/cost.hpp"

namespace trntensor::plan {
namespace {

// The labels that count: of an extent other than 1, and needed by a second tensor or the output.
LabelSet labels_that_matter(const Network& network) {
  std::vector<int> uses(network.extents.size(), 0);
  const auto count = [&](std::size_t label) { ++uses[label]; };
  for (const LabelSet& tensor : network.tensors) tensor.for_each(count);
  network.output.for_each(count);
  LabelSet result(network.extents.size());
  for (std::size_t label = 0; label < uses.size(); ++label) {
    if (uses[label] > 1 && network.extents[label] != 1) result.insert(label);
  }
  return result;
}

Reduced as_it_is(const Network& network) {
  Reduced reduced{network, std::vector<int>(network.tensors.size())};
  std::iota(reduced.nodes.begin(), reduced.nodes.end(), 0);
  return reduced;
}

// Each tensor meets the one seen before with the same labels, if there is one; the product, which may have lost
// labels, is looked up in turn.
Reduced merge_equal_tensors(const Network& network, ContractionTree& tree) {
  LabelUses uses(network);
  std::unordered_map<LabelSet, int, LabelSetHash> node_of;
  for (int t = 0; t < network.size(); ++t) {
    LabelSet labels = network.tensors[static_cast<std::size_t>(t)];
    int node = t;
    for (auto found = node_of.find(labels); found != node_of.end(); found = node_of.find(labels)) {
      node = tree.join(found->second, node);
      node_of.erase(found);
      const LabelSet product = uses.result(labels, labels);
      uses.replace(labels, labels, product);
      labels = product;
    }
    node_of.emplace(labels, node);
  }
  // In the order of the nodes, which is the order the tensors came in and not that of a hash table.
  std::map<int, LabelSet> by_node;
  for (const auto& [labels, node] : node_of) by_node.emplace(node, labels);
  Reduced merged{{network.extents, {}, network.output}, {}};
  for (const auto& [node, labels] : by_node) {
    merged.nodes.push_back(node);
    merged.network.tensors.push_back(labels);
  }
  return merged;
}

// The holders of each label: numbers of tensors, and their count for the output.
std::vector<std::vector<int>> holders_of(const Network& network) {
  std::vector<std::vector<int>> holders(network.extents.size());
  const auto add = [&](const LabelSet& labels, int holder) {
    labels.for_each([&](std::size_t label) { holders[label].push_back(holder); });
  };
  for (int t = 0; t < network.size(); ++t) add(network.tensors[static_cast<std::size_t>(t)], t);
  add(network.output, network.size());
  return holders;
}

// Also drops the labels that nobody holds any more, so that sets get short.
Network fuse_labels(const Network& network) {
  Network fused;
  std::map<std::vector<int>, std::size_t> label_of;
  const std::vector<std::vector<int>> holders = holders_of(network);
  for (std::size_t label = 0; label < holders.size(); ++label) {
    if (holders[label].empty()) continue;
    const auto [entry, is_new] = label_of.emplace(holders[label], fused.extents.size());
    if (is_new) fused.extents.push_back(1);
    double& extent = fused.extents[entry->second];
    extent = bounded_product(extent, network.extents[label]);
  }
  fused.tensors.assign(network.tensors.size(), LabelSet(fused.extents.size()));
  fused.output = LabelSet(fused.extents.size());
  for (const auto& [members, label] : label_of) {
    for (const int member : members) {
      (member == network.size() ? fused.output : fused.tensors[static_cast<std::size_t>(member)]).insert(label);
    }
  }
  return fused;
}

// Number of the part each tensor belongs to, counted in the order of first tensors.
std::vector<int> part_numbers(const Network& network) {
  std::vector<int> part(network.tensors.size(), -1);
  const std::vector<std::vector<int>> holders = holders_of(network);
  int count = 0;
  for (std::size_t first = 0; first < part.size(); ++first) {
    if (part[first] >= 0) continue;
    std::vector<std::size_t> stack{first};
    part[first] = count;
    while (!stack.empty()) {
      const std::size_t tensor = stack.back();
      stack.pop_back();
      network.tensors[tensor].for_each([&](std::size_t label) {
        for (const int holder : holders[label]) {
          if (holder == network.size() || part[static_cast<std::size_t>(holder)] >= 0) continue;
          part[static_cast<std::size_t>(holder)] = count;
          stack.push_back(static_cast<std::size_t>(holder));
        }
      });
    }
    ++count;
  }
  return part;
}

}  // namespace

Network without_idle_labels(const Network& network) {
  const LabelSet matter = labels_that_matter(network);
  Network clean = network;
  for (LabelSet& tensor : clean.tensors) tensor &= matter;
  clean.output &= matter;
  return clean;
}

Reduced simplify(const Network& network, ContractionTree& tree) {
  Reduced reduced = has_empty_label(network) ? as_it_is(network) : merge_equal_tensors(network, tree);
  reduced.network = fuse_labels(reduced.network);
  return reduced;
}

std::vector<Reduced> connected_parts(const Reduced& reduced) {
  const Network& network = reduced.network;
  const std::vector<int> part = part_numbers(network);
  std::vector<Reduced> parts;
  for (std::size_t t = 0; t < part.size(); ++t) {
    const auto number = static_cast<std::size_t>(part[t]);
    if (number == parts.size()) parts.push_back({{network.extents, {}, LabelSet(network.extents.size())}, {}});
    Reduced& own = parts[number];
    own.nodes.push_back(reduced.nodes[t]);
    own.network.tensors.push_back(network.tensors[t]);
    own.network.output |= network.tensors[t] & network.output;
  }
  for (Reduced& own : parts) own.network = fuse_labels(own.network);
  return parts;
}

}  // namespace trntensor::plan
