#include "python/bindings/errors.hpp"

#include <new>

#include "python/bindings/release.hpp"
#include "trntensor/support/error.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

PyObject* internal_error = nullptr;  // the class, alive as long as the module

PyObject* type_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalidArgument:
      return PyExc_ValueError;
    case ErrorKind::kUnsupported:
      return PyExc_NotImplementedError;
    case ErrorKind::kOutOfMemory:
      return PyExc_MemoryError;
    case ErrorKind::kIo:
      return PyExc_OSError;
    case ErrorKind::kCancelled:
      return PyExc_KeyboardInterrupt;
    case ErrorKind::kInternal:
      break;
  }
  return internal_error;
}

/// As text even where the message has bytes that are no UTF-8 (names of files).
void set_message(PyObject* type, const char* message) noexcept {
  PyObject* const text = PyUnicode_DecodeUTF8(message, static_cast<Py_ssize_t>(std::char_traits<char>::length(message)),
                                              "backslashreplace");
  if (text == nullptr) return;
  PyErr_SetObject(type, text);
  Py_DECREF(text);
}

}  // namespace

void set_python_error() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCancelled && restore_signal_error()) return;
    set_message(type_of(error.kind()), error.what());
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::cast_error&) {
    set_message(PyExc_TypeError, "an argument is of a wrong type");
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    set_message(PyExc_MemoryError, "the system has no memory left");
  } catch (const std::exception& error) {
    set_message(internal_error, error.what());
  } catch (...) {
    set_message(internal_error, "an exception of unknown type");
  }
}

void bind_errors(py::module_& module) {
  internal_error = PyErr_NewExceptionWithDoc("trntensor.InternalError",
                                             "A fault of the library itself, never of its caller; please report it.",
                                             PyExc_RuntimeError, nullptr);
  if (internal_error == nullptr) throw py::error_already_set();
  module.attr("InternalError") = py::reinterpret_borrow<py::object>(internal_error);
  py::register_local_exception_translator([](std::exception_ptr exception) {
    if (!exception) return;
    try {
      std::rethrow_exception(exception);
    } catch (const Error&) {
      set_python_error();
    } catch (const py::cast_error&) {
      set_python_error();
    } catch (const std::bad_alloc&) {
      set_python_error();
    }
  });
}

}  // namespace trntensor::python
