// C++ exceptions become Python's.
#pragma once

#include <pybind11/pybind11.h>

namespace trntensor::python {

/// Sets Python's error from the C++ exception that is being handled; call it in a catch block, with the GIL.
/// InvalidArgument is ValueError, Unsupported NotImplementedError, OutOfMemory MemoryError, Io OSError, Internal
/// trntensor.InternalError (a RuntimeError); Cancelled is what the signal handler raised.
void set_python_error() noexcept;

/// Declares trntensor.InternalError, and has functions of the module translate exceptions as above.
void bind_errors(pybind11::module_& module);

}  // namespace trntensor::python
