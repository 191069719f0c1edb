// The scaled opposite-spin second-order correlation energy (SOS-MP2) from fitted three-index integrals.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "trntensor/plan/executor.hpp"
#include "trntensor/quantum/spin_scaling.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

struct SosMp2Options {
  std::int64_t n_frozen = 0;                      ///< leading occupied orbitals that stay uncorrelated (frozen core)
  double scaling = kSosScaling.opposite_spin;     ///< 1.3
  std::optional<DType> dtype = {};                ///< float32 or float64: type of the contraction instead of B's own
  std::optional<std::int64_t> memory_limit = {};  ///< bytes for the blocks of T over all threads, and sums of pairs
  int num_threads = 0;                            ///< 0: as num_threads() of support/environment.hpp
  std::stop_token stop = {};                      ///< ends the work with Error Cancelled
  const Executor* executor = nullptr;             ///< null: default_executor()
};

/// Computes `scaling` * E_OS in Hartree, E_OS = sum_ijab T_ijab^2 / D_ijab as in mp2_energy. Blocks may be smaller than
/// a pair's, since no element meets its exchange partner: memory_limit may go down to a few KiB.
///
/// Shapes, dtypes, units, accuracy and errors: as mp2_energy.
/// Cost: nact (nact + 1) nvir^2 naux flops, nact = nocc - n_frozen, without symmetric blocks up to a sixth more.
/// Source: Jung, Lochan, Dutoi, Head-Gordon, J. Chem. Phys. 121 (2004) 9793, DOI 10.1063/1.1809602, eq. 3 and the
/// scaling 1.3; of their fourth-order algorithm the Laplace transform is in examples/epilogues.cpp.
double sos_mp2_energy(const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
                      const SosMp2Options& options = {});

}  // namespace trntensor
