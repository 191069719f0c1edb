// Where the elements of a stretch of a group's indices lie in one operand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// One of `&GroupAxis::a`, `&GroupAxis::b`, `&GroupAxis::out`.
using OperandStride = std::int64_t GroupAxis::*;

/// Writes the offsets, in elements, of the indices begin, begin + 1, ... of a group (its last axis runs fastest).
void fill_offsets(const Group& group, OperandStride operand, std::int64_t begin,
                  std::span<std::int64_t> offsets) noexcept;

/// Offset of one index.
std::int64_t offset_of(const Group& group, OperandStride operand, std::int64_t index) noexcept;

/// Consecutive indices of a group with their offsets, and how long they keep one stride.
struct BlockIndex {
  const std::int64_t* offsets = nullptr;  ///< in elements
  std::int64_t count = 0;
  std::int64_t first = 0;         ///< place of entry 0 in the innermost axis
  std::int64_t inner_extent = 1;  ///< of the innermost axis
  std::int64_t inner_stride = 0;

  /// Entries from i on that lie `inner_stride` apart.
  [[nodiscard]] std::int64_t run_length(std::int64_t i) const noexcept {
    return std::min(count - i, inner_extent - (first + i) % inner_extent);
  }

  /// True when entries i .. i + length - 1 lie side by side.
  [[nodiscard]] bool is_contiguous(std::int64_t i, std::int64_t length) const noexcept {
    return length == 1 || (inner_stride == 1 && run_length(i) >= length);
  }
};

/// The indices begin .. begin + storage.size() - 1; their offsets are written to `storage`, which must outlive the
/// result.
BlockIndex make_block_index(const Group& group, OperandStride operand, std::int64_t begin,
                            std::span<std::int64_t> storage) noexcept;

}  // namespace trntensor::host
