// NumPy arrays, without its headers and without importing it before an array or a list arrives.
#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <array>
#include <cstring>
#include <map>

#include "python/bindings/arguments.hpp"
#include "python/bindings/operands.hpp"

namespace py = pybind11;

namespace trntensor::python::numpy {
namespace {

using Api = py::detail::npy_api;

constexpr std::int64_t kCopiedBytes = 4096;  // up to this size a copy takes less time than a shared owner

/// Set once NumPy has been imported, by whomever.
PyTypeObject* array_type = nullptr;

/// The type that arrays have, or null while nobody has imported NumPy.
PyTypeObject* find_array_type() noexcept {
  if (array_type != nullptr) return array_type;
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const module = modules == nullptr ? nullptr : PyDict_GetItemString(modules, "numpy");
  if (module == nullptr || module == Py_None) return nullptr;
  try {
    array_type = Api::get().PyArray_Type_;
  } catch (...) {
    PyErr_Clear();  // half-imported; the next operand asks again
  }
  return array_type;
}

constexpr std::array<std::pair<int, DType>, 16> kTypeNumbers{{
    {Api::NPY_BOOL_, DType::kBool},
    {Api::NPY_BYTE_, DType::kInt8},
    {Api::NPY_UBYTE_, DType::kUInt8},
    {Api::NPY_SHORT_, DType::kInt16},
    {Api::NPY_USHORT_, DType::kUInt16},
    {Api::NPY_INT_, DType::kInt32},
    {Api::NPY_UINT_, DType::kUInt32},
    {Api::NPY_LONG_, DType::kInt64},
    {Api::NPY_ULONG_, DType::kUInt64},
    {Api::NPY_LONGLONG_, DType::kInt64},
    {Api::NPY_ULONGLONG_, DType::kUInt64},
    {Api::NPY_FLOAT_, DType::kFloat32},
    {Api::NPY_DOUBLE_, DType::kFloat64},
    {Api::NPY_CFLOAT_, DType::kComplex64},
    {Api::NPY_CDOUBLE_, DType::kComplex128},
    {23, DType::kFloat16},  // NPY_HALF
}};

/// Types that other packages add, known by their number once one was seen.
std::map<int, DType>& added_types() {
  static std::map<int, DType>& types = *new std::map<int, DType>;
  return types;
}

std::optional<DType> added_type(py::handle descriptor, int type_number) {
  const auto known = added_types().find(type_number);
  if (known != added_types().end()) return known->second;
  const py::object type = descriptor.attr("type");
  if (text_of(py::str(type.attr("__module__"))) != "ml_dtypes") return std::nullopt;
  const auto name = text_of(py::str(type.attr("__name__")));
  for (const DType dtype : {DType::kBFloat16, DType::kFloat8E4M3, DType::kFloat8E4M3FN, DType::kFloat8E5M2}) {
    if (name != to_string(dtype)) continue;
    added_types().emplace(type_number, dtype);
    return dtype;
  }
  return std::nullopt;
}

std::optional<DType> dtype_of_descriptor(PyObject* descriptor) {
  const int number = py::detail::array_descriptor_proxy(descriptor)->type_num;
  for (const auto& [type_number, dtype] : kTypeNumbers) {
    if (number == type_number) return dtype;
  }
  constexpr int kFirstAddedType = 256;
  return number < kFirstAddedType ? std::nullopt : added_type(descriptor, number);
}

/// The descriptor of arrays of a type: a new reference.
py::object descriptor_of(DType dtype) {
  for (const auto& [type_number, known] : kTypeNumbers) {
    if (known == dtype) return py::reinterpret_steal<py::object>(Api::get().PyArray_DescrFromType_(type_number));
  }
  const std::string name(to_string(dtype));
  try {
    return py::module_::import("numpy").attr("dtype")(py::module_::import("ml_dtypes").attr(name.c_str()));
  } catch (py::error_already_set&) {
    throw py::type_error(
        fmt::format("the result is {}, which NumPy does not have\nfix: install the package ml_dtypes, "
                    "give another dtype, or give torch tensors",
                    name));
  }
}

[[noreturn]] void throw_foreign(py::handle array, Role role) {
  throw py::type_error(
      fmt::format("{} is an array of {}, which is no type of numbers that trntensor has\nfix: convert "
                  "it, for example with astype(\"float64\")",
                  role.text(), text_of(py::str(array.attr("dtype")))));
}

/// A copy with native byte order and strides that are whole numbers of elements.
Converted from_copy(py::handle array, DType dtype) {
  const py::object native = array.attr("astype")(descriptor_of(dtype), py::arg("order") = "C", py::arg("copy") = true);
  Converted converted = from_array(native, {"operand"});
  converted.owner = keep_alive(native);
  converted.is_copy = true;
  return converted;
}

bool is_swapped(const PyObject* descriptor) noexcept {
  return py::detail::array_descriptor_proxy(descriptor)->byteorder == '>';
}

}  // namespace

bool can_be_imported() {
  static const bool is_there = [] {
    if (find_array_type() != nullptr) return true;
    try {
      py::module_::import("numpy");
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_ImportError)) throw;
      return false;
    }
    return find_array_type() != nullptr;
  }();
  return is_there;
}

bool is_array(py::handle object) noexcept {
  PyTypeObject* const type = find_array_type();
  return type != nullptr && PyObject_TypeCheck(object.ptr(), type) != 0;
}

bool is_list_of_whole_numbers(py::handle object) {
  if (!is_array(object)) return false;
  const auto* const proxy = py::detail::array_proxy(object.ptr());
  const std::optional<DType> dtype = dtype_of_descriptor(proxy->descr);
  return proxy->nd == 1 && dtype && is_integer(*dtype);
}

Converted from_array(py::handle array, Role role) {
  const auto* const proxy = py::detail::array_proxy(array.ptr());
  const std::optional<DType> dtype = dtype_of_descriptor(proxy->descr);
  if (!dtype) throw_foreign(array, role);
  const auto item = static_cast<std::int64_t>(size_of(*dtype));
  bool is_whole = !is_swapped(proxy->descr);
  Shape shape;
  Strides strides;
  for (int axis = 0; axis < proxy->nd; ++axis) {
    const std::int64_t extent = proxy->dimensions[axis];
    const std::int64_t stride = proxy->strides[axis];
    is_whole &= stride % item == 0 || extent <= 1;
    shape.push_back(extent);
    strides.push_back(stride / item);
  }
  if (!is_whole) return from_copy(array, *dtype);
  return {.view = MutableTensorView(proxy->data, *dtype, std::move(shape), std::move(strides)),
          .kind = Kind::kNumpy,
          .is_writable = (proxy->flags & Api::NPY_ARRAY_WRITEABLE_) != 0,
          .owner = {}};
}

py::object as_array(py::handle object) {
  PyObject* const array = Api::get().PyArray_FromAny_(object.ptr(), nullptr, 0, 0, 0, nullptr);
  if (array == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

py::object to_array(const Tensor& tensor, bool scalars) {
  const Api& api = Api::get();
  const Tensor whole = tensor.is_contiguous() ? tensor : tensor.clone();
  const std::int64_t bytes = whole.size() * static_cast<std::int64_t>(size_of(whole.dtype()));
  py::object descriptor = descriptor_of(whole.dtype());
  const bool is_copied = bytes <= kCopiedBytes;
  auto array = py::reinterpret_steal<py::object>(
      api.PyArray_NewFromDescr_(api.PyArray_Type_, descriptor.release().ptr(), whole.rank(), whole.shape().data(),
                                nullptr, is_copied ? nullptr : whole.data(),
                                is_copied ? 0 : Api::NPY_ARRAY_ALIGNED_ | Api::NPY_ARRAY_WRITEABLE_, nullptr));
  if (!array) throw py::error_already_set();
  if (is_copied) {
    if (bytes > 0)
      std::memcpy(py::detail::array_proxy(array.ptr())->data, whole.data(), static_cast<std::size_t>(bytes));
  } else {
    py::capsule owner(new Tensor(whole), [](void* kept) { delete static_cast<Tensor*>(kept); });
    if (api.PyArray_SetBaseObject_(array.ptr(), owner.release().ptr()) != 0) throw py::error_already_set();
  }
  return scalars && whole.rank() == 0 ? py::object(array[py::tuple()]) : array;
}

std::optional<DType> dtype_of_object(py::handle object) {
  if (!can_be_imported()) return std::nullopt;
  PyObject* descriptor = nullptr;
  if (object.is_none() || Api::get().PyArray_DescrConverter_(object.ptr(), &descriptor) == 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  const auto owner = py::reinterpret_steal<py::object>(descriptor);
  return is_swapped(descriptor) ? std::nullopt : dtype_of_descriptor(descriptor);
}

}  // namespace trntensor::python::numpy
