// Block sizes of the five loops around the micro-kernel, from the sizes of the caches.
#pragma once

#include <cstdint>

#include "trntensor/host/kernels/table.hpp"

namespace trntensor::host {

/// A panel of B stays in the L1 cache, a block of A (mc x kc) in L2, a block of B (kc x nc) in L3.
///
/// Source: K. Goto, R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM Trans. Math. Softw. 34
/// (2008) 12, doi:10.1145/1356052.1356053; loops as in F. G. Van Zee, R. van de Geijn, "BLIS", ACM Trans. Math. Softw.
/// 41 (2015) 14, doi:10.1145/2764454.
struct Blocking {
  std::int64_t mc = 0;  ///< multiple of MR
  std::int64_t nc = 0;  ///< multiple of NR
  std::int64_t kc = 0;
};

/// Largest blocks for a kernel on this machine.
Blocking choose_blocking(const GemmKernel& kernel);

/// A block size of at most `largest` that is a multiple of `unit`, cuts `size` into nearly equal blocks, and makes
/// their number a multiple of `workers` where `size` allows.
std::int64_t balanced_block(std::int64_t size, std::int64_t largest, std::int64_t unit, std::int64_t workers = 1);

}  // namespace trntensor::host
