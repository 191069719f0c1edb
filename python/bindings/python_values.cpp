// Python's own numbers, buffers and nested lists, for programs without NumPy.
#include <fmt/format.h>

#include <complex>
#include <cstring>
#include <string_view>

#include "python/bindings/arguments.hpp"
#include "python/bindings/operands.hpp"
#include "trntensor/support/error.hpp"

namespace py = pybind11;

namespace trntensor::python::values {
namespace {

constexpr std::size_t kMostAxes = 64;

bool is_sequence(py::handle object) { return PyList_Check(object.ptr()) != 0 || PyTuple_Check(object.ptr()) != 0; }

[[noreturn]] void throw_no_array(py::handle object, Role role) {
  throw py::type_error(
      fmt::format("{} is a {}, no array\nfix: give an array of NumPy or torch, an object with "
                  "__dlpack__ or a buffer, a number, or nested lists of numbers",
                  role.text(), Py_TYPE(object.ptr())->tp_name));
}

/// Nested lists, read in two passes: shape and type, then values.
class Nest {
 public:
  Nest(py::handle object, Role role) : role_(role) { measure(object, 0); }

  Tensor read(py::handle object) const {
    const DType dtype = dtype_.value_or(DType::kFloat64);
    Tensor result = Tensor::empty(shape_, dtype);
    auto* bytes = static_cast<std::byte*>(result.data());
    fill(object, dtype, bytes);
    return result;
  }

 private:
  void measure(py::handle object, std::size_t depth) {
    if (!is_sequence(object)) {
      if (!is_python_number(object)) throw_no_array(object, role_);
      if (depth != shape_.size()) throw_ragged();
      const DType own = own_dtype(object);
      dtype_ = dtype_ ? promote(*dtype_, own) : own;
      has_numbers_ = true;
      return;
    }
    if (depth >= kMostAxes)
      throw py::value_error(fmt::format("{} is nested deeper than {} lists", role_.text(), kMostAxes));
    const auto extent = static_cast<std::int64_t>(py::len(object));
    if (depth == shape_.size() && !has_numbers_) {
      shape_.push_back(extent);
    } else if (depth >= shape_.size() || shape_[depth] != extent) {
      throw_ragged();
    }
    for (const py::handle item : object) measure(item, depth + 1);
  }

  void fill(py::handle object, DType dtype, std::byte*& bytes) const {
    if (is_sequence(object)) {
      for (const py::handle item : object) fill(item, dtype, bytes);
      return;
    }
    const Tensor number = from_number(object, dtype);
    std::memcpy(bytes, number.data(), size_of(dtype));
    bytes += size_of(dtype);
  }

  [[noreturn]] void throw_ragged() const {
    throw py::value_error(
        fmt::format("{}: its nested lists differ in length\nfix: give lists of equal lengths", role_.text()));
  }

  Role role_;
  Shape shape_;
  std::optional<DType> dtype_;
  bool has_numbers_ = false;
};

Tensor from_whole_number(py::handle number, DType dtype) {
  const bool is_wide = dtype == DType::kUInt64;
  const Tensor whole = is_wide ? Tensor::scalar(static_cast<std::uint64_t>(PyLong_AsUnsignedLongLong(number.ptr())))
                               : Tensor::scalar(static_cast<std::int64_t>(PyLong_AsLongLong(number.ptr())));
  const bool overflows = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  const Tensor converted = whole.astype(dtype);
  const bool is_same = dtype == DType::kBool || is_wide || converted.item<std::int64_t>() == whole.item<std::int64_t>();
  if (overflows || !is_same) {
    throw py::value_error(fmt::format("the number {} does not fit into {}\nfix: give an array of another type",
                                      repr_of(number), to_string(dtype)));
  }
  return converted;
}

struct Format {
  std::string_view text;
  DType dtype;
};

constexpr Format kFormats[] = {
    {"?", DType::kBool},    {"b", DType::kInt8},    {"B", DType::kUInt8},      {"h", DType::kInt16},
    {"H", DType::kUInt16},  {"i", DType::kInt32},   {"I", DType::kUInt32},     {"l", DType::kInt64},
    {"L", DType::kUInt64},  {"q", DType::kInt64},   {"Q", DType::kUInt64},     {"e", DType::kFloat16},
    {"f", DType::kFloat32}, {"d", DType::kFloat64}, {"Zf", DType::kComplex64}, {"Zd", DType::kComplex128},
};

Converted from_buffer(py::handle object, Role role) {
  auto info = std::make_shared<py::buffer_info>(py::reinterpret_borrow<py::buffer>(object).request());
  std::string_view format = info->format;
  if (format.starts_with('@') || format.starts_with('=')) format.remove_prefix(1);
  for (const Format& known : kFormats) {
    if (known.text != format || static_cast<std::size_t>(info->itemsize) != size_of(known.dtype)) continue;
    Shape shape;
    Strides strides;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(info->ndim); ++axis) {
      if (info->strides[axis] % info->itemsize != 0) throw_no_array(object, role);
      shape.push_back(info->shape[axis]);
      strides.push_back(info->strides[axis] / info->itemsize);
    }
    return {.view = MutableTensorView(info->ptr, known.dtype, std::move(shape), std::move(strides)),
            .is_writable = !info->readonly,
            .owner = info};
  }
  throw py::type_error(fmt::format("{} is a buffer of items \"{}\", which is no type of numbers that trntensor has",
                                   role.text(), info->format));
}

}  // namespace

bool is_python_number(py::handle object) noexcept {
  PyObject* const pointer = object.ptr();
  return PyFloat_CheckExact(pointer) != 0 || PyLong_CheckExact(pointer) != 0 || PyBool_Check(pointer) != 0 ||
         PyComplex_CheckExact(pointer) != 0;
}

DType own_dtype(py::handle number) {
  if (PyBool_Check(number.ptr()) != 0) return DType::kBool;
  if (PyLong_CheckExact(number.ptr()) != 0) return DType::kInt64;
  return PyFloat_CheckExact(number.ptr()) != 0 ? DType::kFloat64 : DType::kComplex128;
}

DType dtype_beside(py::handle number, DType others) {
  const DType own = own_dtype(number);
  if (own == DType::kBool || is_complex(others)) return others;
  if (own == DType::kInt64) return others == DType::kBool ? own : others;
  if (own == DType::kFloat64) return is_floating(others) ? others : own;
  return others == DType::kFloat64 || !is_floating(others) ? DType::kComplex128 : DType::kComplex64;
}

Tensor from_number(py::handle number, DType dtype) {
  if (PyLong_Check(number.ptr()) != 0 && (is_integer(dtype) || dtype == DType::kBool)) {
    return from_whole_number(number, dtype);
  }
  const Py_complex value = PyComplex_AsCComplex(number.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return Tensor::full({}, {value.real, value.imag}, dtype);
}

Converted from_object(py::handle object, Role role) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) return from_buffer(object, role);
  if (!is_sequence(object)) throw_no_array(object, role);
  auto tensor = std::make_shared<Tensor>(Nest(object, role).read(object));
  const MutableTensorView view = tensor->mutable_view();
  return {.view = view, .is_copy = true, .owner = std::move(tensor)};
}

}  // namespace trntensor::python::values
