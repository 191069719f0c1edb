// Cases that are a whole DF-MP2 energy.
#pragma once

#include "cli/bench/case.hpp"

namespace trntensor::cli::bench {

/// Ours is mp2_energy; each peer's is its GEMM in Mp2Loop. All count the products of pairs i <= j only. B is uniform in
/// [-1, 1), the orbital energies are sorted, with a gap.
Case mp2_case(std::string suite, std::int64_t occ, std::int64_t vir, std::int64_t aux, DType dtype, int threads);

/// How far apart two correct energies, opposite-spin or same-spin, of these extents may be. `energy` is one of them,
/// `gap` the smallest -D.
///
/// An element of T is within delta = (aux + 2) u aux of the exact one, as |B| <= 1. Terms are T^2 / D, or
/// (T_ab - T_ba)^2 / D over a < b, so an energy is off by sum 2 (2 delta) |T| / |D| at most, which is at most
/// 4 delta sqrt(|energy| terms / gap) by Cauchy and Schwarz, and by 4 delta^2 terms / gap of second order; two are by
/// twice that. Another factor of 2 on the first covers what is lost in the sum itself, which is of float64, in parts.
double mp2_difference_bound(double energy, double terms, double gap, std::int64_t aux, DType dtype);

}  // namespace trntensor::cli::bench
