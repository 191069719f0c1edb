// The energy of one pair of occupied orbitals from its block of T.
#pragma once

#include <cstdint>

namespace trntensor::quantum {

/// In the units of T^2 / eps.
struct PairEnergy {
  double opposite_spin = 0;
  double same_spin = 0;
};

/// A block T_ab of fixed i, j.
template <typename T>
struct PairBlock {
  const T* data = nullptr;  ///< element a, b at data[a * row_stride + b]
  std::int64_t row_stride = 0;
  std::int64_t nvir = 0;
  double e_ij = 0;                  ///< e_i + e_j
  const double* eps_vir = nullptr;  ///< [nvir]
};

/// Sums, with D_ab = e_ij - e_a - e_b,
///   OS = sum_ab T_ab^2 / D_ab   and   SS = sum_ab T_ab (T_ab - T_ba) / D_ab = sum_{a<b} (T_ab - T_ba)^2 / D_ab;
/// the last form has no cancellation between large terms. Sums are float64 for T = float and double, in an order that
/// depends on nvir and the CPU's vector length only.
/// Cost: nvir (nvir + 1) / 2 divisions; reads T once.
PairEnergy pair_energy(const PairBlock<float>& block) noexcept;
PairEnergy pair_energy(const PairBlock<double>& block) noexcept;

}  // namespace trntensor::quantum
