#include "trntensor/quantum/transform.hpp"

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/quantum/checks.hpp"

namespace trntensor {

Tensor ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                          const TransformOptions& options) {
  quantum::check_transform(eri, C_occ, C_vir);
  EinsumOptions call;
  call.dtype = options.dtype;
  call.memory_limit = options.memory_limit;
  call.num_threads = options.num_threads;
  call.stop = options.stop;
  call.executor = options.executor;
  return einsum("mi,na,mnP->iaP", {C_occ, C_vir, eri}, call);
}

}  // namespace trntensor
