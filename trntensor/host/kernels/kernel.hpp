// What a micro-kernel and its packing functions are given; docs/kernel-contract.md has the whole contract.
#pragma once

#include <array>
#include <cstdint>

#include "trntensor/host/block_index.hpp"

namespace trntensor::host {

/// Bytes of KernelArgs::ahead a step: what follows comes from the third-level cache a quarter of a line at a time,
/// beside the panels of B from the second.
inline constexpr std::int64_t kAheadStep = 16;

/// c[i, j] = alpha * sum_p a[p, i] * b[p, j] + beta * c[i, j] for an MR x NR tile or the first rows and columns of one.
/// All elements are of the kernel's dtype; panels are padded with zeros to MR and NR. In panels of pairs an element is
/// two terms of the sum, side by side.
struct KernelArgs {
  std::int64_t k = 0;                    ///< steps, 0 allowed: the product is then 0
  const void* a = nullptr;               ///< packed, MR elements a step
  const std::int64_t* a_rows = nullptr;  ///< if not null, a is not packed, and may be unaligned: row i of step p is at
                                         ///< a + a_rows[i] + p * a_step, in elements; MR of them, all readable
  std::int64_t a_step = 0;
  const void* b = nullptr;               ///< packed, NR elements a step, each step aligned for vectors of the kernel's
                                         ///< instruction set; complex: NR real parts, then NR imaginary ones
  std::int64_t b_step = 0;               ///< NR; otherwise b is not packed, and may be unaligned: column j of step p is
                                         ///< at b + p * b_step + j, in elements, and the columns are whole vectors;
                                         ///< never 0
  void* c = nullptr;                     ///< may be unaligned; half vector j of row i starts at c + rows[i] + pieces[j]
  const std::int64_t* rows = nullptr;    ///< row_count offsets in elements
  const std::int64_t* pieces = nullptr;  ///< offsets in elements, two for each column_step columns
  std::int64_t row_count = 0;            ///< 1 .. MR rows are written
  std::int64_t column_count = 0;         ///< 1 .. NR columns are written
  const std::byte* ahead = nullptr;  ///< if not null: a kernel may fetch kAheadStep bytes a step from here on to the
                                     ///< second-level cache
  bool is_streamed = false;          ///< past the caches: beta is 0, the columns are whole, aligned half vectors
  const void* alpha = nullptr;       ///< one element
  const void* beta = nullptr;        ///< one element; 0: c is not read
};

/// Compensated kernels write two tiles: c is MR x NR sums, then MR x NR corrections (sum + correction is the value);
/// those compensated twice write a third one, of what is left of the corrections. In both only k, a, b, c and beta
/// are used, and beta is 0 (start anew) or 1 (go on from what c holds).
using MicroKernel = void (*)(const KernelArgs&);

/// Packed panels, one behind the other, each `width` x `steps` elements from memory of any strides. Panels of pairs
/// have half as many steps, rounded up: the last pair of an odd number ends with a zero.
struct PackArgs {
  void* panel = nullptr;         ///< the first; aligned for its elements; of B, for vectors
  const void* source = nullptr;  ///< element with offset 0, may be unaligned, of the kernel's dtype
  const BlockIndex* lanes = nullptr;
  const BlockIndex* steps = nullptr;
  std::int64_t first_lane = 0;
  std::int64_t lane_count = 0;  ///< at least 1; the rest of the last panel is written as zeros
};
using PackPanels = void (*)(const PackArgs&);

/// The largest PackBoxArgs::across.
inline constexpr std::int64_t kMostAcross = 128;

/// Whole boxes of lanes, packed to the panels they belong to: `across` elements that lie side by side in memory go to
/// lanes `along` apart. The rest of the last panel is written as zeros.
struct PackBoxArgs {
  void* panels = nullptr;        ///< panel 0
  const void* source = nullptr;  ///< as for PackArgs
  const BlockIndex* lanes = nullptr;
  const BlockIndex* steps = nullptr;
  std::int64_t first_lane = 0;  ///< where a box begins, and a panel
  std::int64_t last_lane = 0;
  std::int64_t across = 1;
  std::int64_t along = 1;
};
using PackBoxes = void (*)(const PackBoxArgs&);

/// For panels of MR and of NR lanes.
struct PackBoth {
  PackPanels a = nullptr;
  PackPanels b = nullptr;
};

/// What the file of a kernel gives for one instruction set; empty where the set cannot carry the kernel.
struct KernelFunctions {
  int mr = 0;
  int nr = 0;
  int column_step = 0;          ///< columns of a vector; divides nr
  bool takes_unpacked = false;  ///< a and b need not be packed
  bool takes_rests = false;     ///< column_count need not be a multiple of column_step; the rest lies side by side
  /// run[s - 1] computes the first s * column_step columns of a tile only: what a narrow rest needs.
  std::array<MicroKernel, 3> run{};
  PackPanels pack_a = nullptr;  ///< panels of MR lanes
  PackPanels pack_b = nullptr;  ///< panels of NR lanes
  PackBoxes box_a = nullptr;    ///< null: boxes are packed panel by panel
  PackBoxes box_b = nullptr;
  PackBoth pack_bfloat16 = {};  ///< from another type than the kernel's; null: converted before they are packed
  PackBoth pack_float16 = {};

  [[nodiscard]] bool empty() const noexcept { return run[0] == nullptr; }
  [[nodiscard]] MicroKernel for_columns(std::int64_t columns) const noexcept {
    return run[static_cast<std::size_t>((columns - 1) / column_step)];
  }
};

}  // namespace trntensor::host
