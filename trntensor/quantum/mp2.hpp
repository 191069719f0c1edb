// The closed-shell second-order Moller-Plesset correlation energy from fitted three-index integrals (DF-MP2, RI-MP2).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "trntensor/plan/executor.hpp"
#include "trntensor/quantum/spin_scaling.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

/// A denominator nearer to zero than this, in Hartree, is an error: perturbation theory has no answer there.
inline constexpr double kVanishingDenominator = 1e-10;

struct Mp2Options {
  std::int64_t n_frozen = 0;                      ///< leading occupied orbitals that stay uncorrelated (frozen core)
  SpinScaling scaling = {};                       ///< of `correlation_energy` and `pair_energies`; see kScsScaling
  bool pairs = false;                             ///< also return the energies of all pairs of occupied orbitals
  std::optional<DType> dtype = {};                ///< float32 or float64: type of the contraction instead of B's own
  std::optional<std::int64_t> memory_limit = {};  ///< bytes for the blocks of T over all threads, and sums of pairs
  int num_threads = 0;                            ///< 0: as num_threads() of support/environment.hpp
  std::stop_token stop = {};                      ///< ends the work with Error Cancelled
  const Executor* executor = nullptr;             ///< null: default_executor()
  /// Called now and then with the pairs done and their total; never from two threads at once.
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Energies in Hartree.
struct Mp2Result {
  double correlation_energy = 0;  ///< scaled as asked; E_OS + E_SS by default
  double opposite_spin = 0;       ///< E_OS, unscaled
  double same_spin = 0;           ///< E_SS, unscaled

  /// With `pairs`: symmetric float64 [nocc - n_frozen, nocc - n_frozen]; the sum over all its elements is the energy.
  std::optional<Tensor> pair_energies;       ///< scaled as correlation_energy
  std::optional<Tensor> pair_opposite_spin;  ///< unscaled
  std::optional<Tensor> pair_same_spin;      ///< unscaled

  std::int64_t workspace_bytes = 0;  ///< held for blocks of T at once, and sums of pairs
  double flops = 0;                  ///< of the contraction, 2 per multiply-add, each pair of orbitals counted once
  DType dtype = DType::kFloat64;     ///< type the contraction ran in

  [[nodiscard]] double scs_energy() const noexcept { return scaled_energy(kScsScaling, opposite_spin, same_spin); }
  [[nodiscard]] double sos_energy() const noexcept { return scaled_energy(kSosScaling, opposite_spin, same_spin); }
};

/// Computes, with T_ijab = sum_P B[i,a,P] B[j,b,P] and D_ijab = e_i + e_j - e_a - e_b over spatial orbitals,
///   E_OS = sum_ijab T_ijab^2 / D_ijab,   E_SS = sum_ijab T_ijab (T_ijab - T_ijba) / D_ijab.
/// T is never held: it is contracted in blocks of orbital pairs i <= j, divided and summed on the spot
/// (einsum_with_epilogues).
///
/// Shapes: B[nocc,nvir,naux] eps_occ[nocc] eps_vir[nvir], any strides; any extent may be 0 (the energy is 0).
/// Dtypes: B float64, float32, float16 or bfloat16 on the host; 16-bit types are contracted in float32. eps: any real
/// type, taken as float64. Denominators and energies are float64 always.
/// Units: eps in Hartree, B in Hartree^(1/2) as of the fitted integrals.
/// Accuracy: the terms T_ab^2 / D of E_OS have one sign, and each is within
/// 2 (naux + 8) eps sum_P |B_iaP B_jbP| |T_ab| / |D| of the exact one, eps that of the contraction (2^-53 or 2^-24): on
/// the molecules of examples/data 1e-12 Hartree in float64 and 1e-7 in float32 (docs/mp2.md). Bitwise the same for any
/// number of threads.
/// Cost: nact (nact + 1) nvir^2 naux flops, nact = nocc - n_frozen. Workspace: a block of nvir^2 elements at least.
/// Throws: InvalidArgument for wrong shapes, complex or integer B, an orbital energy, a weight of `scaling` or an
/// element of B that is not finite, n_frozen outside [0, nocc], a vanishing denominator (names its orbitals);
/// OutOfMemory when the smallest block does not fit into `memory_limit` (before any is allocated); Cancelled.
/// Source: Feyereisen, Fitzgerald, Komornicki, Chem. Phys. Lett. 208 (1993) 359, DOI 10.1016/0009-2614(93)87156-W.
Mp2Result mp2_energy(const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
                     const Mp2Options& options = {});

}  // namespace trntensor
