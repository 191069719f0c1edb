// The cheapest order of every connected sub-network up to a cap on multiply-adds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "trntensor/plan/extent_products.hpp"
#include "trntensor/plan/fixed_bits.hpp"
#include "trntensor/plan/index_table.hpp"
#include "trntensor/plan/path_finder.hpp"

namespace trntensor::plan {

/// Sub-networks are kept by their number of tensors ("level"); each is joined from two disjoint smaller ones that share
/// a label. Networks of at most 64 * kWords tensors and labels.
template <std::size_t kWords>
class OptimalSearch {
  using Bits = FixedBits<kWords>;

 public:
  explicit OptimalSearch(const Network& network)
      : size_(network.tensors.size()),
        products_(network.extents),
        holders_(network.extents.size()),
        has_zero_(has_empty_label(network)),
        levels_(size_ + 1) {
    network.output.for_each([&](std::size_t label) { output_.insert(label); });
    for (std::size_t t = 0; t < size_; ++t) {
      network.tensors[t].for_each([&](std::size_t label) { holders_[label].insert(t); });
    }
    for (std::size_t t = 0; t < size_; ++t) add_tensor(t, network.tensors[t]);
    finish_level(1, std::numeric_limits<double>::infinity());
  }

  /// The least that any order costs: every tensor is read by a step, and a step reads at most two of them.
  [[nodiscard]] double lower_bound() const {
    double total = 0;
    for (const Key& key : levels_[1].keys) total += key.bound;
    return total / 2;
  }

  /// The cheapest order of at most `cap` multiply-adds, or nothing: there is none, or `work` or memory ran out.
  std::optional<SsaPath> run(double cap, double& work, const std::stop_token& stop) {
    for (std::size_t level = 2; level <= size_; ++level) levels_[level] = {};
    finished_ = size_;
    for (std::size_t level = 2; level <= size_; ++level) {
      table_.clear();
      for (std::size_t small = 1; 2 * small <= level; ++small) {
        if (!join_levels(small, level - small, cap, work, stop)) return std::nullopt;
      }
      finish_level(level, cap);
    }
    if (levels_[size_].keys.empty()) return std::nullopt;
    SsaPath path;
    emit(size_, 0, path);
    return path;
  }

  /// True when a run ended because work or memory ran out.
  [[nodiscard]] bool exhausted() const noexcept { return exhausted_; }

 private:
  static constexpr std::size_t kMaxBytes = std::size_t{512} << 20;
  static constexpr double kWorkOfJoin = 10;  // pairs that the inner loop passes over in the time of a join

  /// What the inner loop reads of a sub-network. `bound`: its cost and the least that its next step costs.
  struct Key {
    Bits members;
    double cost = 0;
    double bound = 0;
  };
  struct Part {
    Bits neighbours;
    Bits labels;
    std::uint32_t small = 0;  // level of the smaller half
    std::uint32_t left = 0;   // index in that level; of a single tensor its number
    std::uint32_t right = 0;
  };
  struct Level {
    std::vector<Key> keys;  // ascending by bound once finished
    std::vector<Part> parts;
  };
  static constexpr std::size_t kBytesOfPart = sizeof(Key) + sizeof(Part) + 2 * sizeof(std::uint64_t);

  void add_tensor(std::size_t tensor, const LabelSet& labels) {
    Key key;
    Part part;
    key.members.insert(tensor);
    part.left = static_cast<std::uint32_t>(tensor);
    labels.for_each([&](std::size_t label) {
      part.labels.insert(label);
      part.neighbours = part.neighbours | holders_[label];
    });
    part.neighbours = part.neighbours - key.members;
    key.bound = next_step_bound(part.labels);
    levels_[1].keys.push_back(key);
    levels_[1].parts.push_back(part);
  }

  // The step that uses a tensor runs over all labels of it, unless another label is empty.
  [[nodiscard]] double next_step_bound(const Bits& labels) const noexcept {
    return has_zero_ ? 0 : products_.of(labels);
  }

  // Joins all pairs of two levels. False when work or memory has run out.
  bool join_levels(std::size_t small, std::size_t large, double cap, double& work, const std::stop_token& stop) {
    const Level& lefts = levels_[small];
    const Level& rights = levels_[large];
    for (std::uint32_t left = 0; left < lefts.keys.size(); ++left) {
      const Key& a = lefts.keys[left];
      const Bits touching = lefts.parts[left].neighbours;
      const std::uint32_t first = small == large ? left + 1 : 0;
      std::uint32_t right = first;
      for (; right < rights.keys.size() && a.cost + rights.keys[right].bound <= cap; ++right) {
        const Key& b = rights.keys[right];
        if (!b.members.intersects(touching) || b.members.intersects(a.members) || a.bound + b.cost > cap) continue;
        join(small, left, large, right, cap);
        work -= kWords * kWorkOfJoin;
      }
      work -= kWords * (1.0 + (right > first ? right - first : 0));
      const std::size_t held = finished_ + levels_[small + large].keys.size();
      exhausted_ = work < 0 || held * kBytesOfPart > kMaxBytes;
      if (exhausted_) return false;
      if (left % 16 == 0) check_stop(stop);
    }
    return true;
  }

  void join(std::size_t small, std::uint32_t left, std::size_t large, std::uint32_t right, double cap) {
    const Key& a = levels_[small].keys[left];
    const Key& b = levels_[large].keys[right];
    const Part& part_a = levels_[small].parts[left];
    const Part& part_b = levels_[large].parts[right];
    const Bits labels = part_a.labels | part_b.labels;
    const double cost = a.cost + b.cost + products_.of(labels);
    if (cost > cap) return;
    Level& level = levels_[small + large];
    const Bits members = a.members | b.members;
    const auto [index, is_new] = table_.find_or_add(members.hash(), static_cast<std::uint32_t>(level.keys.size()),
                                                    [&](std::uint32_t i) { return level.keys[i].members == members; });
    if (is_new) {
      const Bits kept = labels_kept(labels, members);
      level.keys.push_back({members, std::numeric_limits<double>::infinity(), next_step_bound(kept)});
      level.parts.push_back({(part_a.neighbours | part_b.neighbours) - members, kept});
    }
    if (cost >= level.keys[index].cost) return;
    level.keys[index].cost = cost;
    Part& part = level.parts[index];
    part.small = static_cast<std::uint32_t>(small);
    part.left = left;
    part.right = right;
  }

  // A label goes when all its holders are members and the output does not want it.
  [[nodiscard]] Bits labels_kept(const Bits& labels, const Bits& members) const noexcept {
    Bits kept = labels & output_;
    (labels - output_).for_each([&](std::size_t label) {
      if (!holders_[label].is_within(members)) kept.insert(label);
    });
    return kept;
  }

  // Drops what cannot be part of an order within the cap, and sorts the rest.
  void finish_level(std::size_t number, double cap) {
    Level& level = levels_[number];
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < level.keys.size(); ++i) {
      Key& key = level.keys[i];
      key.bound = number == size_ ? key.cost : key.cost + key.bound;
      if (key.bound <= cap) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return std::pair(level.keys[i].bound, i) < std::pair(level.keys[j].bound, j);
    });
    Level sorted;
    sorted.keys.reserve(order.size());
    sorted.parts.reserve(order.size());
    for (const std::uint32_t i : order) {
      sorted.keys.push_back(level.keys[i]);
      sorted.parts.push_back(level.parts[i]);
    }
    level = std::move(sorted);
    finished_ += level.keys.size();
  }

  // Appends the steps of a sub-network, returns the number of its tensor.
  int emit(std::size_t level, std::uint32_t index, SsaPath& path) const {
    const Part& part = levels_[level].parts[index];
    if (level == 1) return static_cast<int>(part.left);
    const int left = emit(part.small, part.left, path);
    const int right = emit(level - part.small, part.right, path);
    path.push_back({left, right});
    return static_cast<int>(size_ + path.size()) - 1;
  }

  std::size_t size_;
  ExtentProducts products_;
  std::vector<Bits> holders_;  // tensors that have each label
  Bits output_;
  bool has_zero_;
  std::vector<Level> levels_;
  IndexTable table_;          // of the level being built: members to index
  std::size_t finished_ = 0;  // sub-networks in finished levels
  bool exhausted_ = false;
};

}  // namespace trntensor::plan
