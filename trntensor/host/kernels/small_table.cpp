#include <fmt/format.h>

#include "trntensor/host/kernels/small.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/kernels/targets.hpp"

namespace trntensor::host {
namespace {

std::string_view short_name(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "f32";
    case DType::kFloat64:
      return "f64";
    case DType::kComplex64:
      return "c64";
    case DType::kComplex128:
      return "c128";
    case DType::kInt32:
      return "i32";
    default:
      return "i64";
  }
}

}  // namespace

SmallKernel choose_small_kernel(DType dtype, std::string_view instruction_set) {
  std::string_view set = choose_gemm_kernel(dtype, 0, instruction_set).instruction_set;
  SmallKernel kernel;
  if (const auto target = target_of(set)) {
    kernel = is_complex(dtype) ? small_complex_for(dtype, *target) : small_real_for(dtype, *target);
  }
  if (kernel.run == nullptr) {
    kernel = small_generic(dtype);
    set = kGeneric;
  }
  kernel.name = fmt::format("small_{}_{}", short_name(dtype), set);
  return kernel;
}

}  // namespace trntensor::host
