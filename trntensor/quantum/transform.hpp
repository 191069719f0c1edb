// Three-index integrals from atomic to molecular orbitals.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

struct TransformOptions {
  std::optional<DType> dtype = {};                ///< compute and return in this type instead of the promoted one
  std::optional<std::int64_t> memory_limit = {};  ///< bytes for the half-transformed integrals and the result
  int num_threads = 0;                            ///< 0: as num_threads() of support/environment.hpp
  std::stop_token stop = {};                      ///< ends the work with Error Cancelled
  const Executor* executor = nullptr;             ///< null: default_executor()
};

/// Transforms fitted three-index integrals to an occupied-virtual block: B[i,a,P] = sum_mn C_occ[m,i] C_vir[n,a]
/// eri[m,n,P]. Of the two orders the planner takes the one with fewer multiply-adds.
///
/// Shapes: eri[nbf,nbf,naux] C_occ[nbf,nocc] C_vir[nbf,nvir] -> [nocc,nvir,naux]; any strides, any extent may be 0.
/// Dtypes: real or complex floating point; the result has the promoted type or `options.dtype`. Complex orbitals are
/// used as they are, not conjugated.
/// Cost: 2 nbf nocc naux (nbf + nvir) flops when C_occ goes first, with nbf nocc naux intermediate elements.
/// Throws: InvalidArgument for a wrong rank or number of rows (names the argument, its shape and the one expected) and
/// for integers, OutOfMemory when `memory_limit` cannot be kept, Cancelled.
/// Source: Feyereisen, Fitzgerald, Komornicki, Chem. Phys. Lett. 208 (1993) 359, DOI 10.1016/0009-2614(93)87156-W.
Tensor ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                          const TransformOptions& options = {});

/// The plan that `ao_to_mo_transform` runs: its order, flops and memory. Throws as there; data is not touched.
Plan plan_ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                             const TransformOptions& options = {});

}  // namespace trntensor
