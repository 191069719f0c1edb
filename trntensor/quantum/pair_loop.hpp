// The loop over all pairs of occupied orbitals: contract a block of T, reduce it to energies, forget it.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "trntensor/plan/executor.hpp"
#include "trntensor/quantum/pair_energy.hpp"
#include "trntensor/quantum/pair_tiles.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor::quantum {

struct PairLoop {
  TensorView B;  ///< [nocc, nvir, naux], any strides, active orbitals only
  std::span<const double> eps_occ;
  std::span<const double> eps_vir;
  DType dtype = DType::kFloat64;  ///< of T: float32 or float64
  const Executor* executor = nullptr;
  std::stop_token stop;
  std::function<void(std::int64_t done, std::int64_t total)> progress;
};

/// The energies of all pairs, row by row [nocc, nocc], those with i <= j filled in. Each worker of the tiling
/// holds one block of T and contracts it on its own thread. Throws Cancelled, OutOfMemory.
std::vector<PairEnergy> run_pair_loop(const PairLoop& loop, const PairTiling& tiling);

}  // namespace trntensor::quantum
