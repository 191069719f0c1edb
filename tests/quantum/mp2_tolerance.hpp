// How far a computed DF-MP2 energy may be from the exact one.
#pragma once

#include <cstdint>

namespace trntensor::testing {

/// Of the error of an energy, relative to its opposite-spin part; `epsilon` is the unit roundoff of the contraction.
///
/// T_ab is a sum of naux products, so |dT| <= (naux + 2) u M with M = sum_P |B_iaP B_jbP|, rounding of B included, and
/// |dE| <= sum 2 |T| |dT| / |D| <= 2 (naux + 2) u kappa |E_OS| with kappa = sum |T| M / |D| over sum T^2 / |D|. The
/// terms of E have one sign, so summing them costs a few more u. kappa is 1.2 to 1.4 for the molecules of examples/data
/// and 0.6 sqrt(naux) for B of independent uniform elements (mean of |T| over its root mean square: 0.8; M: naux / 16,
/// T: sqrt(naux) / 12), below 4 up to the 40 auxiliary functions of the tests.
inline double relative_tolerance(std::int64_t naux, double epsilon) {
  constexpr double kKappa = 4;
  return 2 * kKappa * static_cast<double>(naux + 8) * epsilon;
}

}  // namespace trntensor::testing
