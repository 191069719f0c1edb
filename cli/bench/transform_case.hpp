// Cases that are a transformation of three-index integrals from atomic to molecular orbitals.
#pragma once

#include "cli/bench/case.hpp"

namespace trntensor::cli::bench {

/// The extents of "mi,na,mnP->iaP".
struct TransformExtents {
  std::int64_t ao = 0;
  std::int64_t occ = 0;
  std::int64_t vir = 0;
  std::int64_t aux = 0;
};

/// Ours is a prepared Contraction of all three, its order by the planner; each peer's is TransformLoop. All count the
/// multiply-adds of the cheaper order.
Case transform_case(std::string suite, const TransformExtents& extents, DType dtype, int threads);

}  // namespace trntensor::cli::bench
