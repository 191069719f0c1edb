// The orbital-energy denominators of second-order perturbation theory.
#pragma once

#include <cstdint>
#include <span>

namespace trntensor::quantum {

/// Throws InvalidArgument naming orbitals and energies when some |e_i + e_j - e_a - e_b| < kVanishingDenominator.
/// Indices of occupied orbitals in the message count from `first_occupied`. Energies must be finite.
/// Cost: O(nocc + nvir) when there is a gap between occupied and virtual energies, else O(nocc^2 nvir).
void check_denominators(std::span<const double> eps_occ, std::span<const double> eps_vir, std::int64_t first_occupied);

}  // namespace trntensor::quantum
