#include "trntensor/quantum/mp2.hpp"

#include <cmath>
#include <vector>

#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/dispatch/options.hpp"
#include "trntensor/quantum/checks.hpp"
#include "trntensor/quantum/denominators.hpp"
#include "trntensor/quantum/pair_formulas.hpp"

namespace trntensor {
namespace {

/// Symmetric [nocc, nocc] matrices, float64.
struct PairEnergies {
  Tensor opposite_spin;
  Tensor same_spin;
};

/// Over all elements, those off the diagonal in pairs, in the order of the pairs i <= j.
double add_up(const Tensor& pairs) {
  const std::int64_t nocc = pairs.extent(0);
  const double* const values = pairs.data_as<double>();
  double sum = 0;
  for (std::int64_t i = 0; i < nocc; ++i) {
    for (std::int64_t j = i; j < nocc; ++j) sum += (i == j ? 1.0 : 2.0) * values[i * nocc + j];
  }
  return sum;
}

/// `scaling` applied to each pair.
Tensor scaled_pairs(const PairEnergies& pairs, const SpinScaling& scaling) {
  const Tensor scaled = Tensor::empty(pairs.opposite_spin.shape(), DType::kFloat64);
  for (std::int64_t k = 0; k < scaled.size(); ++k) {
    scaled.data_as<double>()[k] =
        scaled_energy(scaling, pairs.opposite_spin.data_as<double>()[k], pairs.same_spin.data_as<double>()[k]);
  }
  return scaled;
}

/// Multiply-adds of the pairs i <= j, times two.
double contraction_flops(double nocc, double nvir, double naux) {
  return nocc * (nocc + 1) / 2 * nvir * nvir * naux * 2;
}

/// Contracts (ia|jb) of the active orbitals and evaluates the formulas of the pairs on it.
PairEnergies evaluate_pairs(const TensorView& B, const Tensor& eps_occ, const Tensor& eps_vir,
                            const Mp2Options& options, Mp2Result& result) {
  const std::int64_t nocc = B.shape()[0];
  const std::int64_t num_pairs = nocc * (nocc + 1) / 2;
  auto call = shared_options<EpilogueOptions>(options);
  call.dtype = result.dtype;
  if (options.progress) {
    call.progress = [&](std::int64_t done, std::int64_t total) {
      options.progress(num_pairs * done / total, num_pairs);
    };
  }
  const std::vector<TensorView> operands{B, B};
  const std::vector<Expression> formulas{quantum::opposite_spin_pair(), quantum::same_spin_pair()};
  const std::vector<NamedView> energies{{quantum::kOccupiedEnergies, eps_occ}, {quantum::kVirtualEnergies, eps_vir}};
  EpilogueResults pairs = einsum_with_epilogues(quantum::kPairSubscripts, operands, formulas, energies, call);
  result.workspace_bytes = pairs.block_bytes;
  return {std::move(pairs.tensors[0]), std::move(pairs.tensors[1])};
}

}  // namespace

Mp2Result mp2_energy(const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
                     const Mp2Options& options) {
  constexpr const char* kFunction = "mp2_energy";
  quantum::check_mp2(kFunction, B, eps_occ, eps_vir, options.n_frozen);
  quantum::check_scaling("scaling.opposite_spin", options.scaling.opposite_spin);
  quantum::check_scaling("scaling.same_spin", options.scaling.same_spin);
  Mp2Result result;
  result.dtype = quantum::contraction_dtype(kFunction, B, options.dtype);
  const TensorView active = B.slice(0, options.n_frozen, B.shape()[0]);
  const std::int64_t nocc = active.shape()[0];
  const Tensor occupied = quantum::read_energies("eps_occ", eps_occ).slice(0, options.n_frozen, B.shape()[0]);
  const Tensor virtuals = quantum::read_energies("eps_vir", eps_vir);
  quantum::check_denominators(quantum::values_of(occupied), quantum::values_of(virtuals), options.n_frozen);
  quantum::check_pair_memory(nocc, B.shape()[1], result.dtype, options.memory_limit);

  PairEnergies pairs{Tensor::zeros({nocc, nocc}, DType::kFloat64), Tensor::zeros({nocc, nocc}, DType::kFloat64)};
  if (active.size() > 0) {
    pairs = evaluate_pairs(active, occupied, virtuals, options, result);
    result.flops = contraction_flops(static_cast<double>(nocc), static_cast<double>(B.shape()[1]),
                                     static_cast<double>(B.shape()[2]));
  }
  result.opposite_spin = add_up(pairs.opposite_spin);
  result.same_spin = add_up(pairs.same_spin);
  result.correlation_energy = scaled_energy(options.scaling, result.opposite_spin, result.same_spin);
  if (!std::isfinite(result.opposite_spin) || !std::isfinite(result.same_spin)) {
    quantum::explain_infinite_energy(B, options.n_frozen, result.dtype);
  }
  if (options.pairs) {
    result.pair_energies = scaled_pairs(pairs, options.scaling);
    result.pair_opposite_spin = pairs.opposite_spin;
    result.pair_same_spin = pairs.same_spin;
  }
  return result;
}

}  // namespace trntensor
