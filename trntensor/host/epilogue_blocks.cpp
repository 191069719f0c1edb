#include "trntensor/host/epilogue_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/support/checked.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

/// Work is cut into about so many blocks at least, for threads to share,
constexpr std::int64_t kFewestBlocks = 64;
/// unless blocks get smaller than this.
constexpr std::int64_t kSmallestBlock = 16384;
/// Edges above this are multiples of it: tiles of kernels are then full.
constexpr std::int64_t kUnit = 48;
/// Of labels that can be exchanged at least so many blocks are made: those on the diagonal are computed in full.
constexpr std::int64_t kFewestMirrored = 6;
/// Threads that a memory limit is shared by before blocks get larger than they must be.
constexpr std::int64_t kThreadsPerLimit = 16;

class Chooser {
 public:
  Chooser(const StepProblem& product, const BlockRules& rules) : rules_(rules) {
    for (const Axis& axis : product.out.axes) {
      const bool whole = axis.extent <= 1 || contains(rules.whole, axis.label);
      axes_.push_back(
          {axis.label, side_of(product, axis.label), axis.extent, whole ? std::max<std::int64_t>(axis.extent, 1) : 1});
    }
  }

  std::vector<BlockAxis> run() {
    const double total = size(BlockSide::kBatch, true) * size(BlockSide::kLeft, true) * size(BlockSide::kRight, true);
    target_ = std::min(static_cast<double>(rules_.most_elements),
                       std::max(total / static_cast<double>(kFewestBlocks), static_cast<double>(kSmallestBlock)));
    // Nearly square, so that operands are read as seldom as can be; a side that is narrow, or wider than that, leaves
    // the other more or less. Every side counts those of its labels that are whole before it grows.
    const double matrix = std::max(target_ / size(BlockSide::kBatch, false), 1.0);
    const double left = std::clamp(std::sqrt(matrix), size(BlockSide::kLeft, false), size(BlockSide::kLeft, true));
    grow(BlockSide::kRight, matrix / left);
    grow(BlockSide::kLeft, matrix / size(BlockSide::kRight, false));
    grow(BlockSide::kBatch, target_ / size(BlockSide::kRight, false) / size(BlockSide::kLeft, false));
    order();
    return std::move(axes_);
  }

 private:
  /// Product of the extents or edges of a side.
  [[nodiscard]] double size(BlockSide side, bool of_extents) const {
    double product = 1;
    for (const BlockAxis& axis : axes_) {
      if (axis.side == side)
        product *= static_cast<double>(of_extents ? std::max<std::int64_t>(axis.extent, 1) : axis.edge);
    }
    return product;
  }

  /// Lengthens edges, the last axis first, until the side has `target` elements.
  void grow(BlockSide side, double target) {
    for (std::size_t k = axes_.size(); k-- > 0;) {
      BlockAxis& axis = axes_[k];
      if (axis.side != side || axis.edge > 1 || axis.extent <= 1) continue;
      const double room = std::min(target / size(side, false), room_of_pair(axis));
      if (room < 2) return;
      const auto most = static_cast<std::int64_t>(std::min(room, static_cast<double>(axis.extent)));
      axis.edge = mirrored_limit(axis, even_edge(axis.extent, most));
      equalise(axis);
      if (axis.edge < axis.extent) return;
    }
  }

  /// An axis that changes places with another grows together with it, perhaps one of another side.
  [[nodiscard]] double room_of_pair(const BlockAxis& axis) const {
    if (epilogue::exchanged(rules_.exchange, axis.label) == axis.label) return static_cast<double>(axis.extent);
    return std::sqrt(target_ /
                     (size(BlockSide::kBatch, false) * size(BlockSide::kLeft, false) * size(BlockSide::kRight, false)));
  }

  static std::int64_t even_edge(std::int64_t extent, std::int64_t most) {
    const std::int64_t even = ceil_div(extent, ceil_div(extent, most));
    const std::int64_t full = ceil_div(even, kUnit) * kUnit;
    return even > kUnit && full <= most ? full : even;
  }

  [[nodiscard]] std::int64_t mirrored_limit(const BlockAxis& axis, std::int64_t edge) const {
    if (epilogue::exchanged(rules_.exchange, axis.label) == axis.label) return edge;
    return std::min(edge, std::max<std::int64_t>(1, axis.extent / kFewestMirrored));
  }

  /// The axis that changes places with this one has the same edge.
  void equalise(const BlockAxis& axis) {
    const Label other = epilogue::exchanged(rules_.exchange, axis.label);
    for (BlockAxis& mirror : axes_) {
      if (mirror.label == other) mirror.edge = axis.edge;
    }
  }

  /// Short axes outside, then batch, left and right: rows are long, and those of b.
  void order() {
    const auto rank = [](const BlockAxis& axis) { return axis.edge == 1 ? -1 : static_cast<int>(axis.side); };
    std::vector<BlockAxis> ordered;
    for (int next = -1; next <= static_cast<int>(BlockSide::kRight); ++next) {
      std::copy_if(axes_.begin(), axes_.end(), std::back_inserter(ordered),
                   [&](const BlockAxis& axis) { return rank(axis) == next; });
    }
    axes_ = std::move(ordered);
  }

  const BlockRules& rules_;
  std::vector<BlockAxis> axes_;
  double target_ = 0;  ///< elements of a block
};

}  // namespace

Labels BlockGrid::labels() const {
  Labels labels;
  for (const BlockAxis& axis : axes_) labels.push_back(axis.label);
  return labels;
}

std::size_t BlockGrid::axis_of(Label label) const noexcept {
  std::size_t k = 0;
  while (axes_[k].label != label) ++k;
  return k;
}

std::int64_t BlockGrid::blocks(BlockSide side) const noexcept {
  std::int64_t count = 1;
  for (const BlockAxis& axis : axes_) {
    if (axis.side == side) count *= axis.blocks();
  }
  return count;
}

std::int64_t BlockGrid::block_elements() const noexcept {
  std::int64_t elements = 1;
  for (const BlockAxis& axis : axes_) elements = saturated_multiply(elements, std::min(axis.edge, axis.extent));
  return elements;
}

Block BlockGrid::block(std::int64_t batch, std::int64_t left, std::int64_t right) const {
  Block block{std::vector<std::int64_t>(axes_.size()), std::vector<std::int64_t>(axes_.size()),
              std::vector<std::int64_t>(axes_.size())};
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const BlockAxis& axis = axes_[k];
    std::int64_t& rest = axis.side == BlockSide::kBatch ? batch : axis.side == BlockSide::kLeft ? left : right;
    block.number[k] = rest % axis.blocks();
    rest /= axis.blocks();
    block.begin[k] = block.number[k] * axis.edge;
    block.extent[k] = std::min(axis.edge, axis.extent - block.begin[k]);
  }
  return block;
}

BlockGrid choose_blocks(const StepProblem& product, const BlockRules& rules) {
  return BlockGrid(Chooser(product, rules).run());
}

std::int64_t largest_block(DType element, std::optional<std::int64_t> memory_limit) {
  const auto bytes = static_cast<std::int64_t>(size_of(element));
  const std::int64_t cached = std::max<std::int64_t>(cpu_info().l2_bytes / 2 / bytes, 1);
  return memory_limit ? std::min(cached, std::max<std::int64_t>(*memory_limit / kThreadsPerLimit / bytes, 1)) : cached;
}

}  // namespace trntensor::host
