// Operands of matrix products packed ahead, for regions that are run with the same rows or columns again and again.
#pragma once

#include "trntensor/host/gemm_blocks.hpp"

namespace trntensor::host {

/// Bytes of all panels of a region's rows (columns) and sum.
std::int64_t packed_gemm_a_bytes(const GemmPlan& plan, const GemmRegion& region);
std::int64_t packed_gemm_b_bytes(const GemmPlan& plan, const GemmRegion& region);

/// Packs a region's rows (columns) for `GemmRun::packed`: the blocks of the sum one after another, of each all panels.
/// `to` is aligned to 64 bytes.
void pack_gemm_a(const GemmPlan& plan, const std::byte* a, const GemmRegion& region, std::byte* to);
void pack_gemm_b(const GemmPlan& plan, const std::byte* b, const GemmRegion& region, std::byte* to);

}  // namespace trntensor::host
