// The one signature of all path finders, and the search that uses them.
#pragma once

#include <limits>
#include <optional>
#include <stop_token>

#include "trntensor/plan/contraction_tree.hpp"
#include "trntensor/plan/network.hpp"

namespace trntensor::plan {

/// What a search may spend.
struct SearchControl {
  std::stop_token stop;
  /// Pairs of sub-networks looked at, a few ns each. Counted and not timed: the same question has the same answer.
  double work = std::numeric_limits<double>::infinity();
};

struct FoundPath {
  SsaPath steps;
  bool optimal = false;  ///< no order without outer products needs fewer multiply-adds
};

/// Finds an order for a connected network of two or more tensors whose labels all matter (see simplify.hpp), or nothing
/// when the allowed work does not suffice. Throws Cancelled when the stop token is triggered.
using PathFinder = std::optional<FoundPath> (*)(const Network& network, const SearchControl& control);

/// Cheapest pair first by elements of the result minus elements of the two, which is the growth of memory; the best of
/// a few runs that weigh the two sides differently. Each run is near-linear in the number of tensors.
std::optional<FoundPath> greedy_path(const Network& network, const SearchControl& control);

/// One run that takes the smallest result first, for when memory is short.
std::optional<FoundPath> smallest_result_path(const Network& network, const SearchControl& control);

/// Fewest multiply-adds of all orders without outer products, by dynamic programming over connected sub-networks, with
/// a cost cap raised step by step (Pfeifer, Haegeman, Verstraete, Phys. Rev. E 90, 033315 (2014)). Never worse than
/// `greedy_path`. Gives up beyond 512 tensors or labels, 512 MiB, or the allowed work.
std::optional<FoundPath> optimal_path(const Network& network, const SearchControl& control);

/// `optimal_path` where the search takes a small part of the time that the contraction itself will take (and at most
/// some 100 ms), else `greedy_path`.
std::optional<FoundPath> auto_path(const Network& network, const SearchControl& control);

/// Orders any network: simplifies it, lets `finder` order each connected part, and multiplies the parts' results,
/// smallest first; what is a single number is multiplied to the smallest tensor of all. The steps are in the order that
/// needs the least memory. `optimal` when it holds for every part.
std::optional<FoundPath> find_path(const Network& network, PathFinder finder, const SearchControl& control);

/// Throws Cancelled when the token is triggered.
void check_stop(const std::stop_token& stop);

}  // namespace trntensor::plan
