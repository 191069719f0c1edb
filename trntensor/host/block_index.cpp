#include "trntensor/host/block_index.hpp"

namespace trntensor::host {

std::int64_t offset_of(const Group& group, OperandStride operand, std::int64_t index) noexcept {
  std::int64_t offset = 0;
  for (std::size_t d = group.size(); d-- > 0;) {
    offset += index % group[d].extent * group[d].*operand;
    index /= group[d].extent;
  }
  return offset;
}

void fill_offsets(const Group& group, OperandStride operand, std::int64_t begin,
                  std::span<std::int64_t> offsets) noexcept {
  if (offsets.empty()) return;
  if (group.empty()) {
    std::fill(offsets.begin(), offsets.end(), 0);
    return;
  }
  const std::int64_t extent = group.back().extent;
  const std::int64_t stride = group.back().*operand;
  const auto count = static_cast<std::int64_t>(offsets.size());
  std::int64_t place = begin % extent;
  for (std::int64_t i = 0; i < count;) {
    std::int64_t offset = offset_of(group, operand, begin + i);
    const std::int64_t end = std::min(count, i + extent - place);
    for (; i < end; ++i, offset += stride) offsets[static_cast<std::size_t>(i)] = offset;
    place = 0;
  }
}

BlockIndex make_block_index(const Group& group, OperandStride operand, std::int64_t begin,
                            std::span<std::int64_t> storage) noexcept {
  fill_offsets(group, operand, begin, storage);
  BlockIndex index;
  index.offsets = storage.data();
  index.count = static_cast<std::int64_t>(storage.size());
  if (!group.empty() && index.count > 0) {
    index.inner_extent = group.back().extent;
    index.inner_stride = group.back().*operand;
    index.first = begin % index.inner_extent;
  }
  return index;
}

}  // namespace trntensor::host
