// Connected tensor networks of ordinary shapes, the same for a seed on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::testing {

/// Which tensors have each label; most have two.
struct Graph {
  std::int64_t tensors = 0;
  std::vector<std::vector<std::int64_t>> labels;
};

inline Graph chain(std::int64_t tensors) {
  Graph graph{tensors, {}};
  for (std::int64_t t = 1; t < tensors; ++t) graph.labels.push_back({t - 1, t});
  return graph;
}

inline Graph ring(std::int64_t tensors) {
  Graph graph = chain(tensors);
  graph.labels.push_back({tensors - 1, 0});
  return graph;
}

/// Row by row; the last row may be short.
inline Graph grid(std::int64_t tensors, std::int64_t columns) {
  Graph graph{tensors, {}};
  for (std::int64_t t = 0; t < tensors; ++t) {
    if (t % columns != 0) graph.labels.push_back({t - 1, t});
    if (t >= columns) graph.labels.push_back({t - columns, t});
  }
  return graph;
}

inline Graph random_tree(std::int64_t tensors, Random& random) {
  Graph graph{tensors, {}};
  for (std::int64_t t = 1; t < tensors; ++t) graph.labels.push_back({random.integer(0, t - 1), t});
  return graph;
}

/// A tree with more labels over two to four tensors.
inline Graph random_graph(std::int64_t tensors, Random& random) {
  Graph graph = random_tree(tensors, random);
  for (std::int64_t more = random.integer(0, tensors); more > 0; --more) {
    std::vector<std::int64_t> members;
    for (std::int64_t k = random.integer(2, 4); k > 0; --k) members.push_back(random.integer(0, tensors - 1));
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (members.size() > 1) graph.labels.push_back(std::move(members));
  }
  return graph;
}

/// True when every tensor is reached from the first.
inline bool is_connected(const Graph& graph) {
  std::vector<bool> reached(static_cast<std::size_t>(graph.tensors), false);
  reached[0] = true;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& members : graph.labels) {
      const auto is_reached = [&](std::int64_t tensor) { return reached[static_cast<std::size_t>(tensor)]; };
      if (std::ranges::none_of(members, is_reached) || std::ranges::all_of(members, is_reached)) continue;
      for (const std::int64_t tensor : members) reached[static_cast<std::size_t>(tensor)] = true;
      grew = true;
    }
  }
  return std::ranges::all_of(reached, [](bool r) { return r; });
}

/// Each tensor has three bonds to others, for an even number of tensors: the bonds' ends are shuffled until it is so.
inline Graph random_cubic(std::int64_t tensors, Random& random) {
  for (;;) {
    std::vector<std::int64_t> ends;
    for (std::int64_t end = 0; end < 3 * tensors; ++end) ends.push_back(end % tensors);
    for (std::size_t i = ends.size(); i > 1; --i) {
      std::swap(ends[i - 1], ends[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
    }
    Graph graph{tensors, {}};
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      graph.labels.push_back({std::min(ends[i], ends[i + 1]), std::max(ends[i], ends[i + 1])});
    }
    std::ranges::sort(graph.labels);
    const bool doubled = std::ranges::adjacent_find(graph.labels) != graph.labels.end();
    const bool loops = std::ranges::any_of(graph.labels, [](const auto& bond) { return bond[0] == bond[1]; });
    if (!doubled && !loops && is_connected(graph)) return graph;
  }
}

/// Extents of 2 to `largest`; every fourth tensor or so has a label of its own that stays in the result.
inline Spec network_of(const Graph& graph, std::int64_t largest, Random& random) {
  const auto tensors = static_cast<std::size_t>(graph.tensors);
  std::vector<std::vector<std::int64_t>> inputs(tensors);
  std::vector<Shape> shapes(tensors);
  std::vector<std::int64_t> output;
  std::int64_t next = 0;
  const auto add_label = [&](const std::vector<std::int64_t>& members) {
    const std::int64_t extent = random.integer(2, largest);
    for (const std::int64_t tensor : members) {
      inputs[static_cast<std::size_t>(tensor)].push_back(next);
      shapes[static_cast<std::size_t>(tensor)].push_back(extent);
    }
    return next++;
  };
  for (const auto& members : graph.labels) add_label(members);
  for (std::int64_t tensor = 0; tensor < graph.tensors; ++tensor) {
    if (random.integer(0, 3) == 0) output.push_back(add_label({tensor}));
  }
  return make_spec(inputs, output, shapes);
}

}  // namespace trntensor::testing
