// The extension module trntensor._core: every area adds its part.
#include <pybind11/pybind11.h>

#include "python/bindings/bindings.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/version.hpp"

namespace {

/// What the library makes on its first call is made when the module is imported: a process that forks while a thread is
/// about to make it would leave a child that waits for that thread.
void make_first_call() {
  try {
    const trntensor::Tensor one = trntensor::Tensor::full({2, 2}, 1.0, trntensor::DType::kFloat64);
    for (const char* const subscripts : {"ij,jk->ik", "ij,ij->"}) {
      (void)trntensor::einsum(subscripts, {one, one}, {.num_threads = 1});
    }
    (void)trntensor::einsum("ij->", {one}, {.num_threads = 1});
    (void)trntensor::num_threads();
    trntensor::clear_plan_cache();
  } catch (const trntensor::Error&) {
    return;  // an environment variable that makes no sense: calls say so
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using namespace trntensor::python;
  pybind11::options options;
  options.disable_function_signatures();  // docstrings begin with signatures of their own
  module.doc() = "The compiled part of trntensor; use `import trntensor`.";
  module.attr("__version__") = TRNTENSOR_VERSION;
  bind_errors(module);
  bind_tensor(module);
  bind_plan(module);
  bind_einsum(module);
  bind_multi_einsum(module);
  bind_expression(module);
  bind_cache(module);
  bind_precision(module);
  bind_quantum(module);
  bind_epilogue(module);
  bind_files(module);
  bind_settings(module);
  install_interrupt_poll();
  make_first_call();
}
