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
  bind_einsum(module);
  install_interrupt_poll();
}
