#include "trntensor/quantum/transform.hpp"

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/quantum/checks.hpp"

namespace trntensor {
namespace {

constexpr std::string_view kSubscripts = "mi,na,mnP->iaP";

EinsumOptions einsum_options(const TransformOptions& options) {
  EinsumOptions call;
  call.dtype = options.dtype;
  call.memory_limit = options.memory_limit;
  call.num_threads = options.num_threads;
  call.stop = options.stop;
  call.executor = options.executor;
  return call;
}

}  // namespace

Tensor ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                          const TransformOptions& options) {
  quantum::check_transform(eri, C_occ, C_vir);
  return einsum(kSubscripts, {C_occ, C_vir, eri}, einsum_options(options));
}

Plan plan_ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                             const TransformOptions& options) {
  quantum::check_transform(eri, C_occ, C_vir);
  return plan_contraction(kSubscripts, {C_occ, C_vir, eri}, einsum_options(options));
}

}  // namespace trntensor
