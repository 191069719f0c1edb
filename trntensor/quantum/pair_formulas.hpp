// The formulas of second-order perturbation theory, as expressions over x[i,a,j,b] = (ia|jb).
#pragma once

#include "trntensor/epilogue/expression.hpp"

namespace trntensor::quantum {

/// Subscripts of (ia|jb), and the names of the orbital energies in the expressions below.
inline constexpr const char* kPairSubscripts = "iaP,jbP->iajb";
inline constexpr const char* kOccupiedEnergies = "e_occ";
inline constexpr const char* kVirtualEnergies = "e_vir";

/// E_OS = sum_iajb (ia|jb)^2 / D_ijab.
Expression opposite_spin();

/// sum_ab (ia|jb)^2 / D_ijab, D = e_i + e_j - e_a - e_b: what a pair i, j adds to it.
Expression opposite_spin_pair();

/// sum_ab (ia|jb) ((ia|jb) - (ib|ja)) / D_ijab: what it adds to E_SS.
Expression same_spin_pair();

}  // namespace trntensor::quantum
