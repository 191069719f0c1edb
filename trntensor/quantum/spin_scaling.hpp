// Spin-component scaling: weights of the opposite-spin and same-spin parts of the MP2 correlation energy.
#pragma once

namespace trntensor {

/// E = opposite_spin * E_OS + same_spin * E_SS. The default is MP2 itself: Moller, Plesset, Phys. Rev. 46 (1934) 618,
/// DOI 10.1103/PhysRev.46.618.
struct SpinScaling {
  double opposite_spin = 1.0;
  double same_spin = 1.0;
};

/// SCS-MP2. Source: Grimme, J. Chem. Phys. 118 (2003) 9095, DOI 10.1063/1.1569242: p_S = 6/5, p_T = 1/3.
inline constexpr SpinScaling kScsScaling{1.2, 1.0 / 3.0};

/// SOS-MP2. Source: Jung, Lochan, Dutoi, Head-Gordon, J. Chem. Phys. 121 (2004) 9793, DOI 10.1063/1.1809602: 1.3.
inline constexpr SpinScaling kSosScaling{1.3, 0.0};

/// In the unit of the parts.
constexpr double scaled_energy(const SpinScaling& scaling, double opposite_spin, double same_spin) noexcept {
  return scaling.opposite_spin * opposite_spin + scaling.same_spin * same_spin;
}

}  // namespace trntensor
