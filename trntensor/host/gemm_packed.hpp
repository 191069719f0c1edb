// Operands of matrix products packed ahead, for regions that are run with the same rows or columns again and again.
#pragma once

#include "trntensor/host/gemm_blocks.hpp"
#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {

/// Bytes of all panels of a region's rows (columns) and sum.
std::int64_t packed_gemm_a_bytes(const GemmPlan& plan, const GemmRegion& region);
std::int64_t packed_gemm_b_bytes(const GemmPlan& plan, const GemmRegion& region);

/// Where the panel that begins with a row (column) of the region lies.
struct PackedPlace {
  std::int64_t lanes = 0;  ///< all rows of the region
  std::int64_t width = 0;  ///< of a panel
  std::int64_t lane = 0;   ///< the first of the panel
  std::int64_t element = 0;

  /// From the start on, in the block of `steps` steps of the kernel that begins with step `first`.
  [[nodiscard]] std::int64_t bytes(std::int64_t first, std::int64_t steps) const noexcept {
    return (ceil_div(lanes, width) * width * first + lane * steps) * element;
  }
};

/// Packs a region's rows (columns) for `GemmRun::packed`: the blocks of the sum one after another, of each all panels.
/// `to` is aligned to 64 bytes.
void pack_gemm_a(const GemmPlan& plan, const std::byte* a, const GemmRegion& region, std::byte* to);
void pack_gemm_b(const GemmPlan& plan, const std::byte* b, const GemmRegion& region, std::byte* to);

}  // namespace trntensor::host
