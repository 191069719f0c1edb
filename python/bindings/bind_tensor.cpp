// trntensor.Tensor: what results are where there is no NumPy, and a carrier of any element type.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/operands.hpp"
#include "trntensor/support/error.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

/// The letter of the struct module, or nothing where it has none (bfloat16 and float8).
const char* format_of(DType dtype) {
  constexpr const char* kFormats[kDTypeCount] = {"?", "b", "B", "h", "H", "i", "I", "q",  "Q",
                                                 "",  "",  "",  "e", "",  "f", "d", "Zf", "Zd"};
  return kFormats[static_cast<std::size_t>(dtype)];
}

/// What a buffer points at besides the elements.
struct Exported {
  Tensor tensor;
  Shape shape;
  Strides byte_strides;
};

void fill(Py_buffer& buffer, const Tensor& tensor, int flags) {
  const char* const format = format_of(tensor.dtype());
  if (*format == '\0') {
    throw py::buffer_error(std::string("a buffer cannot say that elements are ").append(to_string(tensor.dtype())));
  }
  const bool has_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
  if (!has_strides && !tensor.is_contiguous()) throw py::buffer_error("the tensor is not contiguous");
  auto exported = std::make_unique<Exported>(Exported{tensor, tensor.shape(), tensor.strides()});
  const auto item = static_cast<Py_ssize_t>(size_of(tensor.dtype()));
  for (std::int64_t& stride : exported->byte_strides) stride *= item;
  buffer.buf = tensor.data();
  buffer.len = tensor.size() * item;
  buffer.itemsize = item;
  buffer.readonly = 0;
  buffer.ndim = tensor.rank();
  buffer.format = (flags & PyBUF_FORMAT) == 0 ? nullptr : const_cast<char*>(format);
  buffer.shape = (flags & PyBUF_ND) == 0 ? nullptr : exported->shape.data();
  buffer.strides = has_strides ? exported->byte_strides.data() : nullptr;
  buffer.suboffsets = nullptr;
  buffer.internal = exported.release();
}

// By hand: pybind11's own way lets no exception through.
int get_buffer(PyObject* self, Py_buffer* buffer, int flags) noexcept {
  buffer->obj = nullptr;
  try {
    fill(*buffer, py::handle(self).cast<const Tensor&>(), flags);
  } catch (...) {
    set_python_error();
    return -1;
  }
  buffer->obj = Py_NewRef(self);
  return 0;
}

void release_buffer(PyObject* /*self*/, Py_buffer* buffer) noexcept { delete static_cast<Exported*>(buffer->internal); }

PyObject* new_tensor(PyTypeObject* type, PyObject* arguments, PyObject* keywords) noexcept;

void set_up(PyHeapTypeObject* type) {
  type->ht_type.tp_new = new_tensor;
  type->as_buffer.bf_getbuffer = get_buffer;
  type->as_buffer.bf_releasebuffer = release_buffer;
  type->ht_type.tp_as_buffer = &type->as_buffer;
}

py::object number_at(const Tensor& element) {
  if (element.dtype() == DType::kBool) return py::bool_(element.item<bool>());
  if (element.dtype() == DType::kUInt64) return py::int_(element.item<std::uint64_t>());
  if (is_integer(element.dtype())) return py::int_(element.item<std::int64_t>());
  if (!is_complex(element.dtype())) return py::float_(element.item<double>());
  const auto value = element.item<std::complex<double>>();
  return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(value.real(), value.imag()));
}

py::object to_list(const Tensor& tensor) {
  if (tensor.rank() == 0) return number_at(tensor);
  py::list list;
  for (std::int64_t i = 0; i < tensor.extent(0); ++i) list.append(to_list(tensor.select(0, i)));
  return list;
}

std::string represent(const Tensor& tensor) {
  constexpr std::int64_t kMost = 1000;
  const std::string type(to_string(tensor.dtype()));
  if (tensor.size() > kMost) return "trntensor.Tensor(shape=" + format_shape(tensor.shape()) + ", dtype=" + type + ")";
  return "trntensor.Tensor(" + repr_of(to_list(tensor)) + ", dtype=" + type + ")";
}

/// The keywords of the Python array API standard that ask for something: copy, and another device than the host.
py::capsule to_dlpack_capsule(const Tensor& tensor, const py::kwargs& options) {
  const auto given = [&options](const char* name) {
    return options.contains(name) ? py::object(options[name]) : py::object(py::none());
  };
  const py::object device = given("dl_device");
  if (!device.is_none() && !device.equal(py::make_tuple(1, 0)))
    throw py::buffer_error("a Tensor is on the host, (1, 0)");
  return dlpack::to_capsule(given("copy").ptr() == Py_True ? tensor.clone() : tensor);
}

Tensor make(py::handle object, py::handle dtype) {
  const Tensor tensor = to_tensor(object, "the argument");
  return tensor.astype(dtype.is_none() ? tensor.dtype() : parse_dtype_object(dtype));
}

// By hand: pybind11's own makes an object without a value, and no method can be called of one whose __init__ was not.
PyObject* new_tensor(PyTypeObject* /*type*/, PyObject* arguments, PyObject* keywords) noexcept {
  static char values_name[] = "values";
  static char dtype_name[] = "dtype";
  static char* names[] = {values_name, dtype_name, nullptr};
  PyObject* values = nullptr;
  PyObject* dtype = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:Tensor", names, &values, &dtype) == 0) return nullptr;
  try {
    return py::cast(make(values, dtype)).release().ptr();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

/// For tests of what is copied: where a call reads its operands, as (address, strides in bytes, type).
py::list operand_memory(const py::args& arguments) {
  Operands operands;
  for (const py::handle argument : arguments) operands.add(argument);
  operands.finish();
  py::list memory;
  for (const TensorView& view : operands.views()) {
    std::vector<std::int64_t> strides(view.strides().begin(), view.strides().end());
    for (std::int64_t& stride : strides) stride *= static_cast<std::int64_t>(size_of(view.dtype()));
    memory.append(py::make_tuple(reinterpret_cast<std::uintptr_t>(view.data()), py::tuple(py::cast(strides)),
                                 std::string(to_string(view.dtype()))));
  }
  return memory;
}

}  // namespace

void bind_tensor(py::module_& module) {
  py::class_<Tensor>(module, "Tensor", py::custom_type_setup(set_up), py::is_final(), py::module_local(),
                     R"(An array that needs no NumPy.

Results are Tensors where NumPy cannot be imported. NumPy, torch and others read one without a copy
(``numpy.asarray``, ``torch.from_dlpack``).

>>> t = Tensor([[1.0, 2.0], [3.0, 4.0]], dtype="float32")
>>> t.shape, t.dtype
((2, 2), 'float32')
>>> einsum("ij->j", t).tolist()
[4.0, 6.0])")
      .def(py::init(&make), py::arg("values"), py::arg("dtype") = py::none(),
           "__init__(values: ArrayLike, dtype: DTypeLike | None = None) -> None\n\nA copy of any operand of einsum.")
      .def_property_readonly(
          "shape",
          [](const Tensor& t) {
            return py::tuple(py::cast(std::vector<std::int64_t>(t.shape().begin(), t.shape().end())));
          },
          "shape: tuple[int, ...]\n\nThe extent of each axis.")
      .def_property_readonly(
          "dtype", [](const Tensor& t) { return std::string(to_string(t.dtype())); },
          "dtype: str\n\nThe name of the element type, such as \"float32\" or \"bfloat16\".")
      .def("tolist", &to_list, "tolist() -> Any\n\nNested lists of Python numbers; a number for a tensor without axes.")
      .def("__len__",
           [](const Tensor& t) {
             if (t.rank() == 0) throw py::type_error("a tensor without axes has no length");
             return t.extent(0);
           })
      .def("__dlpack__", &to_dlpack_capsule,
           "__dlpack__(**options: Any) -> Any\n\nThe memory, for from_dlpack of other libraries.")
      .def(
          "__dlpack_device__", [](const Tensor&) { return py::make_tuple(1, 0); },
          "__dlpack_device__() -> tuple[int, int]\n\nThe host: (1, 0).")
      .def("__repr__", &represent);
  module.def("_operand_memory", &operand_memory);
}

}  // namespace trntensor::python
