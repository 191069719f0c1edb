#include "trntensor/plan/contraction_tree.hpp"

#include <algorithm>

#include "trntensor/plan/cost.hpp"

namespace trntensor::plan {
namespace {

std::size_t at(int node) { return static_cast<std::size_t>(node); }

}  // namespace

int ContractionTree::join(int a, int b) {
  children.push_back({a, b});
  return leaves + static_cast<int>(children.size()) - 1;
}

int ContractionTree::join(const std::vector<int>& members, const SsaPath& path) {
  std::vector<int> nodes = members;
  for (const auto& [a, b] : path) nodes.push_back(join(nodes[at(a)], nodes[at(b)]));
  return nodes.back();
}

std::vector<int> ContractionTree::joins_in_order() const {
  std::vector<int> order;
  std::vector<int> stack{root};
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (is_leaf(node)) continue;
    order.push_back(node);
    for (const int child : children_of(node)) stack.push_back(child);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<double> node_elements(const ContractionTree& tree, const Network& network) {
  LabelUses uses(network);
  std::vector<LabelSet> labels = network.tensors;
  labels.resize(at(tree.leaves) + tree.children.size());
  std::vector<double> elements(labels.size());
  for (std::size_t leaf = 0; leaf < at(tree.leaves); ++leaf) elements[leaf] = product(labels[leaf], network.extents);
  for (const int node : tree.joins_in_order()) {
    const auto [a, b] = tree.children_of(node);
    labels[at(node)] = uses.result(labels[at(a)], labels[at(b)]);
    uses.replace(labels[at(a)], labels[at(b)], labels[at(node)]);
    elements[at(node)] = product(labels[at(node)], network.extents);
  }
  return elements;
}

SsaPath order_for_memory(const ContractionTree& tree, const std::vector<double>& elements) {
  const auto held = [&](int node) { return tree.is_leaf(node) ? 0.0 : elements[at(node)]; };
  std::vector<double> peak(elements.size(), 0.0);
  std::vector<std::array<int, 2>> visit(tree.children.size());  // the branch that needs more room goes first
  for (const int node : tree.joins_in_order()) {
    auto [first, second] = tree.children_of(node);
    if (peak[at(first)] - held(first) < peak[at(second)] - held(second)) std::swap(first, second);
    peak[at(node)] =
        std::max({peak[at(first)], held(first) + peak[at(second)], held(first) + held(second) + elements[at(node)]});
    visit[at(node - tree.leaves)] = {first, second};
  }
  SsaPath path;
  std::vector<int> number(elements.size(), -1);  // of each node in the path
  for (int leaf = 0; leaf < tree.leaves; ++leaf) number[at(leaf)] = leaf;
  std::vector<int> stack{tree.root};
  while (!stack.empty()) {
    const int node = stack.back();
    if (number[at(node)] >= 0) {
      stack.pop_back();
      continue;
    }
    const auto [first, second] = visit[at(node - tree.leaves)];
    if (number[at(first)] >= 0 && number[at(second)] >= 0) {
      const auto [a, b] = tree.children_of(node);
      number[at(node)] = tree.leaves + static_cast<int>(path.size());
      path.push_back({number[at(a)], number[at(b)]});
      stack.pop_back();
    } else {
      stack.push_back(second);
      stack.push_back(first);
    }
  }
  return path;
}

double total_macs(const SsaPath& path, const Network& network) {
  LabelUses uses(network);
  std::vector<LabelSet> labels = network.tensors;
  double macs = 0;
  for (const auto& [a, b] : path) {
    macs += uses.cost(labels[at(a)], labels[at(b)]).macs;
    LabelSet result = uses.result(labels[at(a)], labels[at(b)]);
    uses.replace(labels[at(a)], labels[at(b)], result);
    labels.push_back(std::move(result));
  }
  return macs;
}

}  // namespace trntensor::plan
