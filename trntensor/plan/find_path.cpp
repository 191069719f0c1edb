#include <algorithm>
#include <queue>
#include <tuple>

#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/path_finder.hpp"
#include "trntensor/plan/simplify.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/interrupt.hpp"

namespace trntensor::plan {
namespace {

// Outer products of the parts' results, the two smallest first: no other order makes smaller intermediates, for the
// same reason as in Huffman's construction.
int join_smallest_first(ContractionTree& tree, const std::vector<std::pair<double, int>>& roots) {
  using Entry = std::pair<double, int>;  // elements, node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(roots.begin(), roots.end());
  while (queue.size() > 1) {
    const auto [elements_a, a] = queue.top();
    queue.pop();
    const auto [elements_b, b] = queue.top();
    queue.pop();
    queue.emplace(bounded_product(elements_a, elements_b), tree.join(a, b));
  }
  return queue.top().second;
}

// Multiplies the number `scalar` to the smallest tensor below tree.root.
void attach_scalar(ContractionTree& tree, int scalar, const Network& network) {
  const std::vector<double> elements = node_elements(tree, network);
  const auto smaller = [&](int a, int b) {
    return std::pair(elements[static_cast<std::size_t>(a)], a) < std::pair(elements[static_cast<std::size_t>(b)], b);
  };
  int best = tree.root;
  std::array<int, 2>* parent = nullptr;
  for (const int node : tree.joins_in_order()) {
    std::array<int, 2>& children = tree.children[static_cast<std::size_t>(node - tree.leaves)];
    for (const int child : children) {
      if (!smaller(child, best)) continue;
      best = child;
      parent = &children;
    }
  }
  if (parent == nullptr) {
    tree.root = tree.join(best, scalar);
    return;
  }
  const std::size_t slot = (*parent)[0] == best ? 0 : 1;
  const std::size_t index = static_cast<std::size_t>(parent - tree.children.data());
  const int product = tree.join(best, scalar);  // may move the children
  tree.children[index][slot] = product;
}

// `roots`: parts that have labels, with their elements; `scalars`: parts that are numbers.
void join_parts(ContractionTree& tree, const std::vector<std::pair<double, int>>& roots, std::vector<int> scalars,
                const Network& network) {
  if (!roots.empty()) tree.root = join_smallest_first(tree, roots);
  // Numbers first among themselves; but where there is nothing to compute, each costs nothing on its own.
  while (scalars.size() > 1 && (roots.empty() || !has_empty_label(network))) {
    const int last = scalars.back();
    scalars.pop_back();
    scalars.back() = tree.join(scalars.back(), last);
  }
  if (roots.empty()) tree.root = scalars.front();
  for (std::size_t s = roots.empty() ? 1 : 0; s < scalars.size(); ++s) attach_scalar(tree, scalars[s], network);
}

}  // namespace

void check_stop(const std::stop_token& stop) {
  if (is_stopped(stop)) throw Error(ErrorKind::kCancelled, "the search for a contraction path was cancelled");
}

std::optional<FoundPath> find_path(const Network& network, PathFinder finder, const SearchControl& control) {
  ContractionTree tree{network.size(), {}, 0};
  const Network clean = without_idle_labels(network);
  FoundPath found{{}, true};
  std::vector<int> scalars;
  std::vector<std::pair<double, int>> roots;
  for (const Reduced& part : connected_parts(simplify(clean, tree))) {
    int root = part.nodes.front();
    if (part.nodes.size() > 1) {
      const std::optional<FoundPath> path = finder(part.network, control);
      if (!path) return std::nullopt;
      root = tree.join(part.nodes, path->steps);
      found.optimal = found.optimal && path->optimal;
    }
    if (part.network.output.empty()) {
      scalars.push_back(root);
    } else {
      roots.emplace_back(product(part.network.output, part.network.extents), root);
    }
  }
  join_parts(tree, roots, scalars, clean);
  found.steps = order_for_memory(tree, node_elements(tree, network));
  return found;
}

}  // namespace trntensor::plan
