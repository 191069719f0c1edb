// The extension module trntensor._core: every area adds its part.
#include <pybind11/pybind11.h>

#include "python/bindings/bindings.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/version.hpp"

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
}
