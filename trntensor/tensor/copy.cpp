// Whole-tensor copies: axes are joined where both sides allow it, then two of them are walked in tiles.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor {
namespace {

struct Axis {
  std::int64_t extent;
  std::int64_t source_step;  // bytes
  std::int64_t target_step;
};
using Axes = InlineVector<Axis, 8>;

constexpr std::int64_t kTile = 32;  // 32 x 32 elements of 16 bytes on both sides fit the first-level cache

void check_arguments(const TensorView& source, const MutableTensorView& target) {
  if (source.shape() != target.shape()) {
    throw_invalid(fmt::format("copy: source shape {} and target shape {} differ", format_shape(source.shape()),
                              format_shape(target.shape())),
                  {}, "broadcast the source to the target's shape");
  }
  for (const Device& device : {source.device(), target.device()}) {
    if (device.type == DeviceType::kHost) continue;
    throw_invalid(fmt::format("copy: memory on {} cannot be reached from the host", to_string(device)), {},
                  "bring the tensor to the host first");
  }
}

// Axes with the target's largest step first, neighbours joined where one step continues the other on both sides.
Axes joined_axes(const TensorView& source, const MutableTensorView& target) {
  const auto source_item = static_cast<std::int64_t>(size_of(source.dtype()));
  const auto target_item = static_cast<std::int64_t>(size_of(target.dtype()));
  Axes axes;
  for (std::size_t d = 0; d < source.shape().size(); ++d) {
    if (source.shape()[d] == 1) continue;
    axes.push_back({source.shape()[d], source.strides()[d] * source_item, target.strides()[d] * target_item});
  }
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
    const std::int64_t ta = std::abs(a.target_step);
    const std::int64_t tb = std::abs(b.target_step);
    return ta != tb ? ta > tb : std::abs(a.source_step) > std::abs(b.source_step);
  });
  Axes joined;
  for (const Axis& axis : axes) {
    if (!joined.empty() && joined.back().source_step == axis.source_step * axis.extent &&
        joined.back().target_step == axis.target_step * axis.extent) {
      joined.back() = {joined.back().extent * axis.extent, axis.source_step, axis.target_step};
    } else {
      joined.push_back(axis);
    }
  }
  return joined;
}

// Copies the plane of the two axes in tiles, so that lines of both sides are used whole while they are in cache.
void copy_plane(ConvertRun run, const std::byte* source, std::byte* target, const Axis& rows, const Axis& columns) {
  const bool columns_suit_source = std::abs(columns.source_step) <= std::abs(rows.source_step);
  const std::int64_t tile_rows = columns_suit_source ? 1 : kTile;
  const std::int64_t tile_columns = columns_suit_source ? columns.extent : kTile;
  for (std::int64_t r0 = 0; r0 < rows.extent; r0 += tile_rows) {
    const std::int64_t r1 = std::min(r0 + tile_rows, rows.extent);
    for (std::int64_t c0 = 0; c0 < columns.extent; c0 += tile_columns) {
      const std::int64_t count = std::min(tile_columns, columns.extent - c0);
      for (std::int64_t r = r0; r < r1; ++r) {
        run(source + r * rows.source_step + c0 * columns.source_step, columns.source_step,
            target + r * rows.target_step + c0 * columns.target_step, columns.target_step, count);
      }
    }
  }
}

// The last axis is the target's fastest; its partner is the source's fastest of the others. Both go last.
void choose_plane(Axes& axes) {
  while (axes.size() < 2) axes.insert(axes.begin(), Axis{1, 0, 0});
  const auto partner = std::min_element(axes.begin(), axes.end() - 1, [](const Axis& a, const Axis& b) {
    return std::abs(a.source_step) < std::abs(b.source_step);
  });
  std::rotate(partner, partner + 1, axes.end() - 1);
}

void copy_axes(ConvertRun run, const std::byte* source, std::byte* target, std::span<const Axis> axes) {
  if (axes.size() == 2) return copy_plane(run, source, target, axes[0], axes[1]);
  for (std::int64_t i = 0; i < axes[0].extent; ++i) {
    copy_axes(run, source + i * axes[0].source_step, target + i * axes[0].target_step, axes.subspan(1));
  }
}

void copy_disjoint(const TensorView& source, const MutableTensorView& target) {
  Axes axes = joined_axes(source, target);
  choose_plane(axes);
  copy_axes(convert_run_function(source.dtype(), target.dtype()), source.bytes(), target.bytes(),
            std::span<const Axis>(axes.begin(), axes.size()));
}

}  // namespace

void copy(const TensorView& source, const MutableTensorView& target) {
  check_arguments(source, target);
  if (source.size() == 0) return;
  if (!may_overlap(source.bytes(), size_of(source.dtype()), source.layout(), target.bytes(), size_of(target.dtype()),
                   target.layout())) {
    return copy_disjoint(source, target);
  }
  const AlignedBuffer buffer = allocate_aligned(static_cast<std::size_t>(source.size()) * size_of(source.dtype()));
  const MutableTensorView aside(buffer.get(), source.dtype(), source.shape());
  copy_disjoint(source, aside);
  copy_disjoint(aside, target);
}

}  // namespace trntensor
