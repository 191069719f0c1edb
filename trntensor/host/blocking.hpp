// Block sizes of the five loops around the micro-kernel, from the sizes of the caches.
#pragma once

#include <cstdint>

#include "trntensor/host/kernels/table.hpp"

namespace trntensor::host {

/// Extents of a matrix product.
struct GemmExtents {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// A panel of A (MR x kc) stays in the L1 cache, a block of B (kc x nc) in L2, a block of A (mc x kc) in L3; so the
/// tiles of the result are written along its rows, where the hardware fetches ahead.
///
/// Source: K. Goto, R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM Trans. Math. Softw. 34
/// (2008) 12, doi:10.1145/1356052.1356053; loops as in F. G. Van Zee, R. van de Geijn, "BLIS", ACM Trans. Math. Softw.
/// 41 (2015) 14, doi:10.1145/2764454, with the roles of A and B exchanged, as results here are stored by rows.
struct Blocking {
  std::int64_t mc = 0;            ///< multiple of the unit of rows
  std::int64_t nc = 0;            ///< multiple of the unit of columns
  std::int64_t kc = 0;            ///< terms of the sum, whole steps of the kernel
  std::int64_t packed_steps = 0;  ///< multiple of kc: the terms of A that are packed at a time
};

/// The most terms that are summed before the sums are written: at most 512.
std::int64_t largest_kc(const GemmKernel& kernel);

/// Terms of a block of a sum of k: blocks of nearly equal size and whole steps of the kernel, the last may be shorter.
std::int64_t choose_kc(const GemmKernel& kernel, std::int64_t k);

/// Lanes of an operand that may be packed at a time and stay in L2, for sums of k terms.
std::int64_t lanes_near(const GemmKernel& kernel, std::int64_t k);

/// What rows and columns come in.
struct LaneUnits {
  std::int64_t m = 1;  ///< multiple of MR
  std::int64_t n = 1;  ///< multiple of NR
};

/// Blocks of nearly equal size that cover `extents`. The number of blocks of columns is a multiple of `workers`, which
/// share a block of A, where n allows.
Blocking choose_blocking(const GemmKernel& kernel, const GemmExtents& extents, const LaneUnits& units,
                         std::int64_t workers);

}  // namespace trntensor::host
