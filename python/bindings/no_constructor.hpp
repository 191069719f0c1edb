// For classes whose instances come from functions.
#pragma once

#include <pybind11/pybind11.h>

namespace trntensor::python {

/// To be given to py::custom_type_setup: `Class()` and `Class.__new__(Class)` raise TypeError. pybind11's own makes an
/// object without a value there, and every method of such a one reads memory that was never written.
inline void forbid_new(PyHeapTypeObject* type) {
  type->ht_type.tp_new = [](PyTypeObject* made, PyObject* /*arguments*/, PyObject* /*keywords*/) -> PyObject* {
    PyErr_Format(PyExc_TypeError, "%s has no constructor", made->tp_name);
    return nullptr;
  };
}

}  // namespace trntensor::python
