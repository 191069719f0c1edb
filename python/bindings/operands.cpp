#include "python/bindings/operands.hpp"

#include <fmt/format.h>

#include "python/bindings/arguments.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/text.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

/// Objects that are no array of a library we know.
Converted convert_other(py::handle object, Role role) {
  if (py::isinstance<Tensor>(object)) {
    const auto& tensor = object.cast<const Tensor&>();
    return {.view = tensor.mutable_view(), .kind = Kind::kOwn};
  }
  if (values::is_python_number(object)) return {.is_python_number = true, .is_copy = true};
  if (dlpack::has_dlpack(object)) return dlpack::from_object(object);
  if (!numpy::can_be_imported()) return values::from_object(object, role);
  const py::object array = numpy::as_array(object);
  Converted converted = numpy::from_array(array, role);
  converted.kind = Kind::kValues;
  if (!converted.owner) converted.owner = keep_alive(array);
  // An object with a buffer shares its memory with the array; lists and scalars do not.
  converted.is_copy |= PyObject_CheckBuffer(object.ptr()) == 0 || py::bool_(array.attr("flags").attr("owndata"));
  return converted;
}

/// The names of the library, the original's "fp16", and NumPy's where NumPy is. NumPy counts bytes in short names, the
/// library bits: what has two meanings is refused.
DType parse_dtype_name(const std::string& name) {
  const std::string lower = lower_case(name);
  if (lower == "fp16") return DType::kFloat16;
  if (lower == "i8" || lower == "u8" || lower == "f16") {
    throw py::value_error(fmt::format(
        "dtype \"{}\" counts bytes in NumPy and bits elsewhere\nfix: write the name out, as in \"int64\" or "
        "\"float16\"",
        name));
  }
  try {
    return parse_dtype(name);
  } catch (const Error&) {
    if (const auto dtype = numpy::dtype_of_object(py::str(name))) return *dtype;
    throw;
  }
}

}  // namespace

std::string Role::text() const { return number < 0 ? std::string(name) : fmt::format("{} {}", name, number); }

Converted convert(py::handle object, Role role) {
  if (numpy::is_array(object)) return numpy::from_array(object, role);
  if (torch::is_tensor(object)) return torch::from_tensor(object, role);
  return convert_other(object, role);
}

std::shared_ptr<void> keep_alive(py::object object) {
  return {object.release().ptr(), [](void* kept) {
            const py::gil_scoped_acquire lock;
            Py_DECREF(static_cast<PyObject*>(kept));
          }};
}

void Operands::reserve(std::size_t count) { views_.reserve(count); }

void Operands::add(py::handle object) {
  Converted converted = convert(object, {"operand", static_cast<int>(views_.size())});
  if (converted.is_python_number) numbers_.push_back({views_.size(), object});
  if (converted.kind > result_kind_.kind) result_kind_ = {converted.kind, object};
  if (converted.owner) owners_.push_back(std::move(converted.owner));
  require_grad_ |= converted.requires_grad;
  views_.push_back(converted.view);
}

void Operands::finish() {
  if (numbers_.empty()) return;
  std::vector<DType> others;
  for (std::size_t k = 0, n = 0; k < views_.size(); ++k) {
    if (n < numbers_.size() && numbers_[n].operand == k) {
      ++n;
    } else {
      others.push_back(views_[k].dtype());
    }
  }
  for (const Number& number : numbers_) {
    const DType dtype =
        others.empty() ? values::own_dtype(number.value) : values::dtype_beside(number.value, promote(others));
    auto tensor = std::make_shared<Tensor>(values::from_number(number.value, dtype));
    views_[number.operand] = tensor->view();
    owners_.push_back(std::move(tensor));
  }
}

double Operands::products() const noexcept {
  constexpr std::size_t kFewOperands = 8;  // for more, to find the order alone may last
  double products = views_.size() > kFewOperands ? 1e30 : 1;
  for (const TensorView& view : views_) products *= static_cast<double>(view.size());
  return products;
}

py::object to_python(Tensor result, const ResultKind& kind) {
  switch (kind.kind) {
    case Kind::kTorch:
      return torch::to_tensor(result);
    case Kind::kDlpack:
      return dlpack::to_object(result, kind.like);
    case Kind::kNumpy:
      return numpy::to_array(result, true);
    case Kind::kValues:
      if (numpy::can_be_imported()) return numpy::to_array(result, true);
      break;
    case Kind::kOwn:
      break;
  }
  return py::cast(std::move(result));
}

Tensor writable(py::handle object, const char* name) {
  Converted converted = convert(object, {name});
  if (converted.is_copy) {
    throw py::type_error(
        fmt::format("{} is a {} that cannot be written to in place\nfix: give an array with memory of "
                    "a type of trntensor in native byte order",
                    name, Py_TYPE(object.ptr())->tp_name));
  }
  if (!converted.is_writable) {
    throw py::value_error(fmt::format("{} is read-only\nfix: give an array that may be written to", name));
  }
  if (converted.requires_grad) {
    throw_python(PyExc_RuntimeError,
                 fmt::format("{} requires gradients, which are not recorded for writing in place\nfix: "
                             "call within torch.no_grad()",
                             name));
  }
  return Tensor::borrow(converted.view, std::move(converted.owner));
}

Tensor to_tensor(py::handle object, const char* name) {
  Converted converted = convert(object, {name});
  if (converted.is_python_number) return values::from_number(object, values::own_dtype(object));
  return Tensor::borrow(converted.view, std::move(converted.owner));
}

DType parse_dtype_object(py::handle object) {
  if (py::isinstance<py::str>(object)) return parse_dtype_name(text_of(object));
  if (object.ptr() == reinterpret_cast<PyObject*>(&PyBool_Type)) return DType::kBool;
  if (object.ptr() == reinterpret_cast<PyObject*>(&PyLong_Type)) return DType::kInt64;
  if (object.ptr() == reinterpret_cast<PyObject*>(&PyFloat_Type)) return DType::kFloat64;
  if (object.ptr() == reinterpret_cast<PyObject*>(&PyComplex_Type)) return DType::kComplex128;
  if (const auto dtype = torch::dtype_of_object(object)) return *dtype;
  if (const auto dtype = numpy::dtype_of_object(object)) return *dtype;
  throw py::type_error(
      fmt::format("dtype is {}, no element type\nfix: give a name such as \"float32\", or a type of NumPy "
                  "or torch",
                  repr_of(object)));
}

}  // namespace trntensor::python
