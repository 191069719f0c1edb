#include "trntensor/quantum/transform.hpp"

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/dispatch/options.hpp"
#include "trntensor/quantum/checks.hpp"

namespace trntensor {
namespace {

constexpr std::string_view kSubscripts = "mi,na,mnP->iaP";

}  // namespace

Tensor ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                          const TransformOptions& options) {
  quantum::check_transform(eri, C_occ, C_vir);
  return einsum(kSubscripts, {C_occ, C_vir, eri}, shared_options<EinsumOptions>(options));
}

Plan plan_ao_to_mo_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir,
                             const TransformOptions& options) {
  quantum::check_transform(eri, C_occ, C_vir);
  return plan_contraction(kSubscripts, {C_occ, C_vir, eri}, shared_options<EinsumOptions>(options));
}

}  // namespace trntensor
