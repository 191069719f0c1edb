// What is decided for a part of a product before it is computed.
#pragma once

#include <cstddef>
#include <stop_token>

#include "trntensor/host/gemm_plan.hpp"

namespace trntensor::host {

/// The data of one item of the batch.
struct GemmData {
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* out = nullptr;
};

/// Part of the index space of one item.
struct GemmRegion {
  std::int64_t m_begin = 0;
  std::int64_t m_end = 0;
  std::int64_t n_begin = 0;
  std::int64_t n_end = 0;
  std::int64_t k_begin = 0;
  std::int64_t k_end = 0;
};

/// Tiles of sums that are not yet results: tile (i, j), counted from the region's corner, is at
/// data + (i * columns + j) * tile_bytes.
struct RawTiles {
  std::byte* data = nullptr;
  std::int64_t columns = 0;
};

/// Operands that are packed already, for regions that are run with the same rows or columns again and again.
struct PackedOperands {
  const std::byte* a = nullptr;  ///< what `pack_gemm_a` made of the region's rows and sum
  const std::byte* b = nullptr;  ///< what `pack_gemm_b` made of the region's columns and sum
};

/// How a region is run.
struct GemmRun {
  const KernelScale* scale = nullptr;
  std::stop_token stop;
  int threads = 1;             ///< workers of the current arena that share the work
  RawTiles sums;               ///< if there is memory: all sums of the region go there, and out is left alone
  PackedOperands packed = {};  ///< where there is none, blocks are packed on the way
};

/// Blocks, and what is not packed, kept or read on the way.
struct RegionPlan {
  RegionPlan(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run);

  bool sums_wait;  ///< for the rest of their terms, since the result cannot hold them
  Blocking blocks;
  bool a_is_packed;              ///< else it is read in place
  bool reads_b;                  ///< in place, where a tile allows it
  bool is_streamed;              ///< the result, past the caches
  bool has_bands;                ///< it is, MR rows at a time
  bool fetches_a;                ///< ahead of time: a large A in place
  std::int64_t columns_of_pass;  ///< of a pass over the sum: all, or those whose waiting sums the workspace holds
};

}  // namespace trntensor::host
