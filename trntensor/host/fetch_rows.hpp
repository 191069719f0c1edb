// Rows of an operand in place, brought near before they are used.
#pragma once

#include <algorithm>
#include <cstddef>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/kernels/kernel.hpp"

namespace trntensor::host {

/// Fetches the rows of A that a tile two rows of tiles further on reads, `args.k` elements each, to the second-level
/// cache: the first one is full. Inlined always: g++ leaves out calls of a function that does nothing else.
[[gnu::always_inline]] inline void fetch_rows_ahead(const KernelArgs& args, const BlockIndex& rows, std::int64_t tile,
                                                    std::int64_t mr, std::int64_t element_size) {
  constexpr std::int64_t kTilesAhead = 2;
  constexpr std::int64_t kLine = 64;
  const std::int64_t begin = (tile + kTilesAhead) * mr;
  const std::int64_t end = std::min(begin + mr, rows.count);
  for (std::int64_t row = begin; row < end; ++row) {
    const std::byte* from = static_cast<const std::byte*>(args.a) + rows.offsets[row] * element_size;
    for (std::int64_t byte = 0; byte < args.k * element_size; byte += kLine) __builtin_prefetch(from + byte, 0, 2);
  }
}

}  // namespace trntensor::host
