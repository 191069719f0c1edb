#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <utility>

#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/path_finder.hpp"

namespace trntensor::plan {
namespace {

/// Pairs are rated by elements of the result minus `weight` times the elements of the two: 1 is the growth of memory, 0
/// takes the smallest result, large weights eat the largest tensors first. Equal pairs: the cheaper one, then the
/// one with the oldest tensor (which grows many parts at a time) or with the youngest (which grows one).
struct Rule {
  double weight;
  bool youngest_first;
};

// No rule is best for all networks, and they differ by factors of up to 10^15 on random circuits; a run is cheap.
constexpr std::array<Rule, 10> kRules{{{1, false},
                                       {16, false},
                                       {2, false},
                                       {4, false},
                                       {0, false},
                                       {1, true},
                                       {16, true},
                                       {2, true},
                                       {4, true},
                                       {0, true}}};

// Of the holders of a label only so many, the smallest, are looked at as partners: a label of thousands of tensors
// would make the search quadratic. Small partners are what the order prefers anyway.
constexpr std::size_t kPartnersPerLabel = 64;

// A pair of tensors, kept under the younger of the two.
struct Candidate {
  double score = 0;
  double macs = 0;
  int tie = 0;
  int younger = 0;
  int older = 0;

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

class GreedySearch {
 public:
  GreedySearch(const Network& network, const Rule& rule)
      : rule_(rule), network_(network), uses_(network), holders_(network.extents.size()) {
    for (const LabelSet& labels : network.tensors) add(labels);
  }

  SsaPath run(const std::stop_token& stop) {
    for (int t = 1; t < network_.size(); ++t) push_best(t);
    SsaPath path;
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (!alive(best.younger)) continue;
      if (!alive(best.older)) {
        push_best(best.younger);
        continue;
      }
      if (path.size() % 64 == 0) check_stop(stop);
      path.push_back({best.older, best.younger});
      contract(best.older, best.younger);
    }
    return path;
  }

 private:
  [[nodiscard]] bool alive(int tensor) const { return alive_[index(tensor)]; }
  static std::size_t index(int tensor) { return static_cast<std::size_t>(tensor); }

  void add(const LabelSet& labels) {
    const int tensor = static_cast<int>(labels_.size());
    labels_.push_back(labels);
    elements_.push_back(product(labels, network_.extents));
    alive_.push_back(true);
    seen_.push_back(0);
    const std::pair<double, int> entry{elements_.back(), tensor};
    labels.for_each([&](std::size_t label) {
      auto& holders = holders_[label];
      holders.insert(std::lower_bound(holders.begin(), holders.end(), entry), entry);
    });
  }

  void remove(int tensor) {
    alive_[index(tensor)] = false;
    const std::pair<double, int> entry{elements_[index(tensor)], tensor};
    labels_[index(tensor)].for_each([&](std::size_t label) {
      auto& holders = holders_[label];
      holders.erase(std::lower_bound(holders.begin(), holders.end(), entry));
    });
  }

  void contract(int a, int b) {
    const LabelSet result = uses_.result(labels_[index(a)], labels_[index(b)]);
    uses_.replace(labels_[index(a)], labels_[index(b)], result);
    remove(a);
    remove(b);
    add(result);
    push_best(static_cast<int>(labels_.size()) - 1);
  }

  [[nodiscard]] Candidate rate(int younger, int older) const {
    const PairCost pair = uses_.cost(labels_[index(younger)], labels_[index(older)]);
    const double removed = elements_[index(younger)] + elements_[index(older)];
    return {pair.elements - rule_.weight * removed, pair.macs, rule_.youngest_first ? -younger : older, younger, older};
  }

  // The best pair of a tensor with an older one. Every live pair is found under its younger member: the one in the
  // queue was at least as good, and when its partner is gone the search is repeated.
  void push_best(int tensor) {
    std::optional<Candidate> best;
    ++search_;
    labels_[index(tensor)].for_each([&](std::size_t label) {
      std::size_t count = 0;
      for (const auto& [elements, partner] : holders_[label]) {
        if (partner >= tensor || std::exchange(seen_[index(partner)], search_) == search_) continue;
        const Candidate candidate = rate(tensor, partner);
        if (!best || *best > candidate) best = candidate;
        if (++count == kPartnersPerLabel) break;
      }
    });
    if (best) queue_.push(*best);
  }

  Rule rule_;
  const Network& network_;
  LabelUses uses_;
  std::vector<LabelSet> labels_;  // of each tensor, operands first
  std::vector<double> elements_;
  std::vector<char> alive_;
  std::int64_t search_ = 0;                                   // number of the search for a partner
  std::vector<std::int64_t> seen_;                            // the last search that looked at the tensor
  std::vector<std::vector<std::pair<double, int>>> holders_;  // of each label, smallest first
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

// As many rules as are tried in some tenths of a second.
std::size_t rules_for(std::size_t tensors) {
  constexpr std::size_t kTensorsInAll = 30000;
  return std::clamp<std::size_t>(kTensorsInAll / tensors, 1, tensors <= 3 ? 1 : kRules.size());
}

}  // namespace

std::optional<FoundPath> greedy_path(const Network& network, const SearchControl& control) {
  FoundPath best{{}, network.size() <= 2};
  double best_macs = std::numeric_limits<double>::infinity();
  for (const Rule& rule : std::span(kRules).first(rules_for(network.tensors.size()))) {
    SsaPath steps = GreedySearch(network, rule).run(control.stop);
    const double macs = total_macs(steps, network);
    if (macs < best_macs) {
      best_macs = macs;
      best.steps = std::move(steps);
    }
  }
  return best;
}

std::optional<FoundPath> smallest_result_path(const Network& network, const SearchControl& control) {
  return FoundPath{GreedySearch(network, {0, false}).run(control.stop), network.size() <= 2};
}

}  // namespace trntensor::plan
