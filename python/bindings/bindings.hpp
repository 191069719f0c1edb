// One function for each area: what it adds to the module trntensor._core.
#pragma once

#include <pybind11/pybind11.h>

namespace trntensor::python {

void bind_cache(pybind11::module_& module);
void bind_einsum(pybind11::module_& module);
void bind_epilogue(pybind11::module_& module);
void bind_expression(pybind11::module_& module);
void bind_files(pybind11::module_& module);
void bind_multi_einsum(pybind11::module_& module);
void bind_plan(pybind11::module_& module);
void bind_precision(pybind11::module_& module);
void bind_quantum(pybind11::module_& module);
void bind_settings(pybind11::module_& module);
void bind_tensor(pybind11::module_& module);

}  // namespace trntensor::python
