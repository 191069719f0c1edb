// Integrals from atomic to molecular orbitals as it is written where only a GEMM is at hand: two products, the cheaper
// of the two orders.
#pragma once

#include <memory>

#include "cli/bench/peer.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli::bench {

/// B[i,a,P] = sum_mn C_occ[m,i] C_vir[n,a] eri[m,n,P], all dense and of one type.
struct TransformData {
  Tensor C_occ;
  Tensor C_vir;
  Tensor eri;
  Tensor B;

  [[nodiscard]] std::int64_t ao() const { return eri.shape()[0]; }
  [[nodiscard]] std::int64_t aux() const { return eri.shape()[2]; }
  [[nodiscard]] std::int64_t occ() const { return C_occ.shape()[1]; }
  [[nodiscard]] std::int64_t vir() const { return C_vir.shape()[1]; }
};

/// Multiply-adds of both products, times two, occupied or virtual orbitals first; `transform_flops` is the fewer.
double transform_flops(std::int64_t ao, std::int64_t occ, std::int64_t vir, std::int64_t aux, bool occupied_first);
double transform_flops(std::int64_t ao, std::int64_t occ, std::int64_t vir, std::int64_t aux);

class TransformLoop {
 public:
  /// `data` must outlive it; B is overwritten.
  TransformLoop(const TransformData& data, const Peer& peer, int threads);

  /// Whether the peer offers the products.
  [[nodiscard]] explicit operator bool() const { return one_ && each_; }
  [[nodiscard]] std::string describe() const;
  void run() const;

 private:
  void run_occupied_first() const;
  void run_virtual_first() const;

  const TransformData& data_;
  bool occupied_first_;
  Gemm one_;   ///< with the occupied orbitals: a single product
  Gemm each_;  ///< with the virtual orbitals: one product for each orbital that is there by then
  Tensor half_;
};

}  // namespace trntensor::cli::bench
