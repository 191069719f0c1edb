#include "trntensor/host/epilogue_worker.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "trntensor/host/epilogue_kernels.hpp"
#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {
namespace {

std::vector<std::int64_t> largest_extents(const BlockGrid& grid) {
  std::vector<std::int64_t> extents;
  for (const BlockAxis& axis : grid.axes()) extents.push_back(std::min(axis.edge, axis.extent));
  return extents;
}

struct BoxAxis {
  std::int64_t extent = 0;
  std::int64_t from = 0;  ///< strides
  std::int64_t to = 0;
};

template <typename Combine>
void combine_box(std::span<const BoxAxis> axes, const double* from, double* to, const Combine& combine) {
  if (axes.empty()) {
    *to = combine(*to, *from);
    return;
  }
  const BoxAxis& axis = axes.front();
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    combine_box(axes.subspan(1), from + i * axis.from, to + i * axis.to, combine);
  }
}

}  // namespace

BlockWorker::BlockWorker(const EpiloguePlan& plan, const EpilogueData& data, std::int64_t edge, int workers,
                         std::stop_token stop)
    : plan_(plan),
      data_(data),
      stop_(std::move(stop)),
      most_(largest_extents(plan.grid)),
      space_(plan.problem, plan.block_passes, plan.grid.labels(), most_, TensorReads::kCopied),
      left_(to_size(edge)),
      workspace_(cut(WorkspaceCutter(), workers)) {
  cut(WorkspaceCutter(workspace_.data()), workers);
  // Rows are read beyond their ends, which must not be numbers that were never written.
  std::memset(element_, 0, to_size(plan.grid.block_elements() + kRowSlack) * size_of(plan.problem.product.accumulator));
}

std::size_t BlockWorker::cut(WorkspaceCutter cutter, int workers) {
  const std::size_t element = size_of(plan_.problem.product.accumulator);
  element_ = cutter.take<std::byte>(to_size(plan_.grid.block_elements() + kRowSlack) * element);
  std::int64_t left_bytes = 0;
  std::int64_t right_bytes = 0;
  for (const auto& [extents, product] : plan_.products) {
    left_bytes = std::max(left_bytes, product->packed_a_bytes());
    right_bytes = std::max(right_bytes, product->packed_b_bytes());
  }
  // Operands that do not fit are packed piece by piece for every block.
  const std::int64_t room = panel_bytes(workers);
  if (right_bytes > 0 && right_bytes <= room / 2) right_.memory = cutter.take<std::byte>(to_size(right_bytes));
  const auto lefts = static_cast<std::int64_t>(left_.size());
  if (left_bytes == 0 || left_bytes * lefts > room / 2 + room / 4) return cutter.used();
  for (Panels& panels : left_) panels.memory = cutter.take<std::byte>(to_size(left_bytes));
  return cutter.used();
}

const std::byte* BlockWorker::operand(const void* data, const OperandLayout& layout, const Block& block) const {
  std::int64_t offset = 0;
  for (const Axis& axis : layout.axes) {
    if (!contains(plan_.problem.formula.element, axis.label)) continue;
    offset += block.begin[plan_.grid.axis_of(axis.label)] * axis.stride;
  }
  return static_cast<const std::byte*>(data) + offset * static_cast<std::int64_t>(size_of(layout.dtype));
}

void BlockWorker::run(const Block& block, const BlockTile& tile, std::int64_t left, std::int64_t right) {
  const BlockProduct& product = plan_.product(block);
  ProductOperands operands;
  operands.a = operand(data_.a, plan_.problem.product.a, block);
  if (plan_.problem.product.b) operands.b = operand(data_.b, *plan_.problem.product.b, block);
  const auto is_packed = [&](Panels& panels, std::int64_t number) {
    if (panels.product == &product && panels.batch == tile.batch && panels.number == number) return true;
    panels.product = &product;
    panels.batch = tile.batch;
    panels.number = number;
    return false;
  };
  Panels& rows = left_[to_size(left - tile.left_begin)];
  if (rows.memory != nullptr && product.packed_a_bytes() > 0) {
    if (!is_packed(rows, left)) product.pack_a(operands.a, rows.memory);
    operands.packed_a = rows.memory;
  }
  if (right_.memory != nullptr && product.packed_b_bytes() > 0) {
    if (!is_packed(right_, right)) product.pack_b(operands.b, right_.memory);
    operands.packed_b = right_.memory;
  }
  product.run(operands, element_, stop_);
  space_.run({block.begin, block.extent, element_, data_.tensors, data_.results, nullptr});
}

void BlockWorker::add_sum(const Block& block, const BlockSum& sum, bool of_image, double* arrays) const {
  const SpaceArray& array = space_.array(sum.node);
  const std::vector<std::int64_t> strides = kept_strides(plan_.grid, sum);
  const auto place = [&](std::size_t axis) { return of_image ? plan_.mirror[axis] : axis; };
  double* to = arrays + sum.array_of(number_along(plan_.grid, sum.reduced, block, place)) * sum.elements;
  InlineVector<BoxAxis, 8> axes;
  for (std::size_t k = 0; k < sum.kept.size(); ++k) {
    const std::size_t from = place(sum.kept[k]);  // the block's axis that runs along axis k of the array
    const auto at = std::find(sum.kept.begin(), sum.kept.end(), from) - sum.kept.begin();
    axes.push_back({block.extent[from], array.strides[static_cast<std::size_t>(at)], strides[k]});
    to += block.begin[from] * strides[k];
  }
  const std::span<const BoxAxis> box(axes.data(), axes.size());
  sum.is_max ? combine_box(box, array.data, to, larger) : combine_box(box, array.data, to, std::plus<double>());
}

}  // namespace trntensor::host
