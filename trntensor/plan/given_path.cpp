#include "trntensor/plan/given_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/path_finder.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::plan {
namespace {

constexpr const char* kFix = "give pairs of positions in the current list, such as [[0, 2], [0, 1]] for three operands";

[[noreturn]] void refuse(std::size_t entry, const std::vector<int>& positions, const std::string& reason) {
  throw_invalid(fmt::format("entry {} of the path, ({}), {}", entry, fmt::join(positions, ", "), reason), {}, kFix);
}

void check_entry(std::size_t entry, const std::vector<int>& positions, std::size_t tensors) {
  for (const int position : positions) {
    if (position < 0 || static_cast<std::size_t>(position) >= tensors) {
      refuse(entry, positions, fmt::format("names position {} of {} tensors", position, tensors));
    }
    if (std::count(positions.begin(), positions.end(), position) > 1) {
      refuse(entry, positions, fmt::format("names position {} twice", position));
    }
  }
  if (positions.size() < 2) refuse(entry, positions, "has less than two positions");
}

// The walk along a path: what is in the current list, and who still needs which label.
class Expansion {
 public:
  explicit Expansion(const Network& network)
      : network_(network), uses_(network), labels_(network.tensors), current_(network.tensors.size()) {
    std::iota(current_.begin(), current_.end(), 0);
  }

  [[nodiscard]] std::size_t tensors() const { return current_.size(); }

  void take(const std::vector<int>& positions) {
    std::vector<int> group;
    for (const int position : positions) group.push_back(current_[static_cast<std::size_t>(position)]);
    std::erase_if(current_, [&](int tensor) { return std::count(group.begin(), group.end(), tensor) > 0; });
    const std::optional<FoundPath> found = find_path(network_of_group(group), greedy_path, {});
    std::vector<int> tensors = group;
    for (const auto& [a, b] : found->steps) {
      tensors.push_back(step(tensors[static_cast<std::size_t>(a)], tensors[static_cast<std::size_t>(b)]));
    }
    current_.push_back(tensors.back());
  }

  [[nodiscard]] const SsaPath& path() const { return path_; }

 private:
  int step(int a, int b) {
    const LabelSet& labels_a = labels_[static_cast<std::size_t>(a)];
    const LabelSet& labels_b = labels_[static_cast<std::size_t>(b)];
    LabelSet result = uses_.result(labels_a, labels_b);
    uses_.replace(labels_a, labels_b, result);
    labels_.push_back(std::move(result));
    path_.push_back({a, b});
    return static_cast<int>(labels_.size()) - 1;
  }

  // The group alone; its output are the labels that the tensors outside and the result need.
  [[nodiscard]] Network network_of_group(const std::vector<int>& group) const {
    Network own{network_.extents, {}, network_.output};
    for (const int tensor : current_) own.output |= labels_[static_cast<std::size_t>(tensor)];
    LabelSet inside(network_.extents.size());
    for (const int tensor : group) {
      own.tensors.push_back(labels_[static_cast<std::size_t>(tensor)]);
      inside |= own.tensors.back();
    }
    own.output &= inside;
    return own;
  }

  const Network& network_;
  LabelUses uses_;
  std::vector<LabelSet> labels_;
  std::vector<int> current_;  // numbers of tensors
  SsaPath path_;
};

}  // namespace

SsaPath expand_path(const ContractionPath& path, const Network& network) {
  if (network.size() == 1) {
    if (path.empty() || path == ContractionPath{{0}}) return {};
    throw_invalid(fmt::format("a path of {} entries for one operand", path.size()), {}, "give [[0]] or no path");
  }
  Expansion expansion(network);
  for (std::size_t entry = 0; entry < path.size(); ++entry) {
    check_entry(entry, path[entry], expansion.tensors());
    expansion.take(path[entry]);
  }
  if (expansion.tensors() != 1) {
    throw_invalid(fmt::format("the path leaves {} tensors uncontracted", expansion.tensors()), {}, kFix);
  }
  return expansion.path();
}

}  // namespace trntensor::plan
