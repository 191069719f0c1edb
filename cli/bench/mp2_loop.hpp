// The DF-MP2 energy as it is written where only a GEMM is at hand: for each i, the blocks T of some j >= i by one
// product, then the energies of their pairs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>

#include "cli/bench/pair_terms.hpp"
#include "cli/bench/peer.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli::bench {

struct Mp2Input {
  Tensor B;  ///< [occ, vir, aux], float64 or float32
  Tensor eps_occ;
  Tensor eps_vir;

  [[nodiscard]] std::int64_t occ() const { return B.shape()[0]; }
  [[nodiscard]] std::int64_t vir() const { return B.shape()[1]; }
  [[nodiscard]] std::int64_t aux() const { return B.shape()[2]; }
};

class Mp2Loop {
 public:
  /// With `width` orbitals j a product. `input` must outlive it.
  Mp2Loop(const Mp2Input& input, const Peer& peer, int threads, std::int64_t width, std::stop_token stop);

  /// Whether the peer offers the products.
  [[nodiscard]] explicit operator bool() const { return complete_; }
  [[nodiscard]] std::string describe() const;

  /// The sums over all pairs. Throws Cancelled.
  [[nodiscard]] PairTerms run() const;

  /// Seconds a pair takes, by one product of the full width.
  [[nodiscard]] double seconds_of_a_pair() const;

 private:
  [[nodiscard]] PairTerms run_pairs(std::int64_t i, std::int64_t j, std::int64_t count) const;
  template <typename T>
  [[nodiscard]] PairTerms sum_pairs(std::int64_t i, std::int64_t j, std::int64_t count) const;

  const Mp2Input& input_;
  int threads_;
  std::int64_t width_;
  std::stop_token stop_;
  std::map<std::int64_t, Gemm> products_;  ///< by how many j
  bool complete_ = true;
  Tensor block_;  ///< T: [vir, j, vir]
};

/// The fastest width for this peer, by trial; null when it does not offer the products.
std::shared_ptr<const Mp2Loop> best_mp2_loop(const Mp2Input& input, const Peer& peer, int threads,
                                             const std::stop_token& stop);

}  // namespace trntensor::cli::bench
