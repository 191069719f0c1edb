#include "trntensor/quantum/mp2.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/quantum/checks.hpp"
#include "trntensor/quantum/denominators.hpp"
#include "trntensor/quantum/pair_loop.hpp"
#include "trntensor/quantum/pair_tiles.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/environment.hpp"

namespace trntensor {
namespace {

using quantum::PairEnergy;

/// Sums over i <= j, pairs off the diagonal twice, in the order of the pairs.
void add_up(const std::vector<PairEnergy>& pairs, std::size_t nocc, Mp2Result& result) {
  for (std::size_t i = 0; i < nocc; ++i) {
    for (std::size_t j = i; j < nocc; ++j) {
      const double weight = i == j ? 1.0 : 2.0;
      result.opposite_spin += weight * pairs[i * nocc + j].opposite_spin;
      result.same_spin += weight * pairs[i * nocc + j].same_spin;
    }
  }
}

/// The symmetric [nocc, nocc] matrix of `scaling` applied to each pair.
Tensor pair_matrix(const std::vector<PairEnergy>& pairs, std::size_t nocc, const SpinScaling& scaling) {
  const auto extent = static_cast<std::int64_t>(nocc);
  Tensor matrix = Tensor::empty({extent, extent}, DType::kFloat64);
  auto* const values = static_cast<double*>(matrix.data());
  for (std::size_t i = 0; i < nocc; ++i) {
    for (std::size_t j = i; j < nocc; ++j) {
      const PairEnergy& pair = pairs[i * nocc + j];
      const double energy = scaled_energy(scaling, pair.opposite_spin, pair.same_spin);
      values[i * nocc + j] = energy;
      values[j * nocc + i] = energy;
    }
  }
  return matrix;
}

/// Multiply-adds of the pairs i <= j, times two.
double contraction_flops(double nocc, double nvir, double naux) {
  return nocc * (nocc + 1) / 2 * nvir * nvir * naux * 2;
}

}  // namespace

Mp2Result mp2_energy(const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
                     const Mp2Options& options) {
  quantum::check_mp2(B, eps_occ, eps_vir, options.n_frozen);
  Mp2Result result;
  result.dtype = quantum::contraction_dtype(B, options);
  const std::vector<double> all_occupied = quantum::read_energies("eps_occ", eps_occ);
  const std::vector<double> virtuals = quantum::read_energies("eps_vir", eps_vir);
  const auto occupied = std::span(all_occupied).subspan(static_cast<std::size_t>(options.n_frozen));
  quantum::check_denominators(occupied, virtuals, options.n_frozen);

  const quantum::PairExtents extents{static_cast<std::int64_t>(occupied.size()), B.shape()[1], B.shape()[2],
                                     static_cast<std::int64_t>(size_of(result.dtype))};
  const int threads = usable_threads(num_threads(options.num_threads));
  std::vector<PairEnergy> pairs(occupied.size() * occupied.size());
  if (extents.nocc > 0 && extents.nvir > 0 && extents.naux > 0) {
    const quantum::PairTiling tiling = quantum::tile_pairs(extents, options.memory_limit, threads);
    const Executor& executor = executor_or_default(options.executor);
    pairs = quantum::run_pair_loop({B.slice(0, options.n_frozen, B.shape()[0]), occupied, virtuals, result.dtype,
                                    &executor, options.stop, options.progress},
                                   tiling);
    result.workspace_bytes = tiling.tile_bytes * tiling.workers;
    result.flops = contraction_flops(static_cast<double>(extents.nocc), static_cast<double>(extents.nvir),
                                     static_cast<double>(extents.naux));
  }
  add_up(pairs, occupied.size(), result);
  result.correlation_energy = scaled_energy(options.scaling, result.opposite_spin, result.same_spin);
  if (!std::isfinite(result.opposite_spin) || !std::isfinite(result.same_spin)) {
    quantum::explain_infinite_energy(B, options.n_frozen, result.dtype);
  }
  if (options.pairs) {
    result.pair_energies = pair_matrix(pairs, occupied.size(), options.scaling);
    result.pair_opposite_spin = pair_matrix(pairs, occupied.size(), {1.0, 0.0});
    result.pair_same_spin = pair_matrix(pairs, occupied.size(), {0.0, 1.0});
  }
  return result;
}

}  // namespace trntensor
