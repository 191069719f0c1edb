#include "trntensor/quantum/sos_mp2.hpp"

#include <cmath>

#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/dispatch/options.hpp"
#include "trntensor/quantum/checks.hpp"
#include "trntensor/quantum/denominators.hpp"
#include "trntensor/quantum/pair_formulas.hpp"

namespace trntensor {

double sos_mp2_energy(const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
                      const SosMp2Options& options) {
  constexpr const char* kFunction = "sos_mp2_energy";
  quantum::check_mp2(kFunction, B, eps_occ, eps_vir, options.n_frozen);
  quantum::check_scaling("scaling", options.scaling);
  const DType dtype = quantum::contraction_dtype(kFunction, B, options.dtype);
  const TensorView active = B.slice(0, options.n_frozen, B.shape()[0]);
  const Tensor occupied = quantum::read_energies("eps_occ", eps_occ).slice(0, options.n_frozen, B.shape()[0]);
  const Tensor virtuals = quantum::read_energies("eps_vir", eps_vir);
  quantum::check_denominators(quantum::values_of(occupied), quantum::values_of(virtuals), options.n_frozen);
  auto call = shared_options<EpilogueOptions>(options);
  call.dtype = dtype;
  const double energy =
      einsum_with_epilogue(quantum::kPairSubscripts, {active, active}, options.scaling * quantum::opposite_spin(),
                           {{quantum::kOccupiedEnergies, occupied}, {quantum::kVirtualEnergies, virtuals}}, call)
          .item<double>();
  if (!std::isfinite(energy)) quantum::explain_infinite_energy(B, options.n_frozen, dtype);
  return energy;
}

}  // namespace trntensor
