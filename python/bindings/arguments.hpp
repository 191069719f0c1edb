// Arguments that are texts and numbers, read with errors that name them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

namespace trntensor::python {

/// The text of a str. Throws UnicodeEncodeError (a ValueError) where it is no Unicode.
std::string text_of(pybind11::handle text);

/// For messages: repr() of anything.
std::string repr_of(pybind11::handle object);

/// TypeError "`name` is <repr>, not `wanted`".
[[noreturn]] void throw_type(const char* name, pybind11::handle value, const char* wanted);

/// A str. Throws TypeError for anything else.
std::string read_text(const char* name, pybind11::handle value, const char* wanted);

/// A whole number: int or what has __index__. Throws TypeError, and ValueError beyond 64 bits.
std::int64_t read_whole(const char* name, pybind11::handle value);

/// A real number: float or what has __float__. Throws TypeError for anything else, ValueError beyond float64.
double read_real(const char* name, pybind11::handle value);

/// What Python's error while it made a number of `value` means: ValueError beyond float64, else throw_type.
[[noreturn]] void throw_no_number(const char* name, pybind11::handle value, const char* wanted);

/// The same items, which nobody can take out meanwhile.
pybind11::dict copy_of(const pybind11::dict& items);

/// Raises a Python exception of any class.
[[noreturn]] void throw_python(PyObject* type, const std::string& message);

}  // namespace trntensor::python
