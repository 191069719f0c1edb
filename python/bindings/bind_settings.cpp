// Settings of the whole process.
#include "python/bindings/bindings.hpp"
#include "python/bindings/options.hpp"
#include "trntensor/support/environment.hpp"

namespace py = pybind11;

namespace trntensor::python {

void bind_settings(py::module_& module) {
  module.def(
      "get_num_threads", [] { return num_threads(); },
      "get_num_threads() -> int\n\nThreads that a call may use: what ``set_num_threads`` said, else "
      "TRNTENSOR_NUM_THREADS, else one for each CPU of the process.\n\n"
      ">>> set_num_threads(1)\n>>> get_num_threads()\n1\n>>> set_num_threads(0)");
  module.def(
      "set_num_threads", [](py::handle count) { set_num_threads(read_num_threads(count, "count")); }, py::arg("count"),
      "set_num_threads(count: int) -> None\n\nThreads that a call may use; 0 for the default. Raises ValueError "
      "outside 0 to 4096.\n\n>>> set_num_threads(0)");
}

}  // namespace trntensor::python
