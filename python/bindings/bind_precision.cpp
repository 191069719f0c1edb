// Which precision is enough for an error.
#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/operands.hpp"
#include "trntensor/plan/precision_choice.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr const char* kDoc = R"(select_precision_for_error(dtype: DTypeLike, K: int, target_forward_error: float) -> str

The cheapest precision for sums of K products of two numbers of a type, in results of that type, whose error is
certainly below ``target_forward_error`` times sum |a b|: "fast", "kahan" or "dd".

Raises ValueError for a target that the type cannot hold, naming the best bound that can be had. For a contraction ask
its plan: ``plan_contraction(..., target_forward_error=1e-6).precision``.

>>> select_precision_for_error("float32", 4096, 1e-6)
'kahan'
>>> select_precision_for_error("float64", 4096, 1e-6)
'fast')";

std::string select(py::handle dtype, py::handle terms, py::handle target) {
  const auto choice = select_precision_for_error(parse_dtype_object(dtype), read_whole("K", terms),
                                                 read_real("target_forward_error", target));
  return std::string(to_string(choice.precision));
}

}  // namespace

void bind_precision(py::module_& module) {
  module.def("select_precision_for_error", &select, py::arg("dtype"), py::arg("K"), py::arg("target_forward_error"),
             kDoc);
}

}  // namespace trntensor::python
