// The energy of a pair of orbitals from its block of T as a peer's user would write it: plain loops over tiles.
#pragma once

#include <cstdint>

namespace trntensor::cli::bench {

/// In the units of T^2 / eps.
struct PairTerms {
  double opposite_spin = 0;  ///< sum T_ab^2 / D_ab
  double same_spin = 0;      ///< sum T_ab (T_ab - T_ba) / D_ab
};

/// T_ab of a fixed pair: element a, b at data[a * row_stride + b].
template <typename T>
struct PairT {
  const T* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t nvir = 0;
  double e_ij = 0;                  ///< e_i + e_j; D_ab = e_ij - e_a - e_b
  const double* eps_vir = nullptr;  ///< [nvir]
};

/// Rows a of a tile.
inline constexpr std::int64_t kPairTile = 32;

/// The terms with a in tile number `tile` and b >= a, and their mirror images.
PairTerms pair_terms(const PairT<double>& pair, std::int64_t tile);
PairTerms pair_terms(const PairT<float>& pair, std::int64_t tile);

}  // namespace trntensor::cli::bench
