#include "python/bindings/arguments.hpp"

#include <fmt/format.h>

namespace py = pybind11;

namespace trntensor::python {

std::string text_of(py::handle text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

std::string repr_of(py::handle object) { return text_of(py::repr(object)); }

void throw_type(const char* name, py::handle value, const char* wanted) {
  throw py::type_error(fmt::format("{} is {}, not {}", name, repr_of(value), wanted));
}

std::string read_text(const char* name, py::handle value, const char* wanted) {
  if (PyUnicode_Check(value.ptr()) == 0) throw_type(name, value, wanted);
  return text_of(value);
}

std::int64_t read_whole(const char* name, py::handle value) {
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) {
    PyErr_Clear();
    throw_type(name, value, "a whole number");
  }
  const std::int64_t number = PyLong_AsLongLong(index.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  throw py::value_error(fmt::format("{} is {}\nfix: give a number within 64 bits", name, repr_of(value)));
}

double read_real(const char* name, py::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  throw_no_number(name, value, "a real number");
}

void throw_no_number(const char* name, py::handle value, const char* wanted) {
  const bool is_beyond = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  if (!is_beyond) throw_type(name, value, wanted);
  throw py::value_error(fmt::format("{} is beyond the largest float64", name));
}

py::dict copy_of(const py::dict& items) {
  auto copy = py::reinterpret_steal<py::dict>(PyDict_Copy(items.ptr()));
  if (!copy) throw py::error_already_set();
  return copy;
}

void throw_python(PyObject* type, const std::string& message) {
  PyErr_SetString(type, message.c_str());
  throw py::error_already_set();
}

}  // namespace trntensor::python
