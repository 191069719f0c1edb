// torch tensors by DLPack, without linking to torch and without importing it before a tensor arrives.
#include <fmt/format.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/operands.hpp"

namespace py = pybind11;

namespace trntensor::python::torch {
namespace {

/// What is called for each tensor, looked up once.
struct Api {
  PyTypeObject* tensor_type;
  PyObject* to_dlpack;
  PyObject* from_dlpack;
  PyObject* is_grad_enabled;
  PyObject* forward_ad;  // the module of forward-mode derivatives
  PyObject* bool_dtype;
  PyObject* uint8_dtype;
};

const Api* api = nullptr;

Api load(const py::module_& module) {
  const py::object dlpack = py::module_::import("torch.utils.dlpack");
  const auto kept = [](py::object object) { return object.release().ptr(); };
  const py::object inner = module.attr("_C");
  return {reinterpret_cast<PyTypeObject*>(kept(module.attr("Tensor"))),
          kept(dlpack.attr("to_dlpack")),
          kept(py::hasattr(inner, "_from_dlpack") ? inner.attr("_from_dlpack") : dlpack.attr("from_dlpack")),
          kept(module.attr("is_grad_enabled")),
          kept(py::module_::import("torch.autograd.forward_ad")),
          kept(module.attr("bool")),
          kept(module.attr("uint8"))};
}

const Api* find_api() noexcept {
  if (api != nullptr) return api;
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const module = modules == nullptr ? nullptr : PyDict_GetItemString(modules, "torch");
  if (module == nullptr || module == Py_None) return nullptr;
  try {
    api = new Api(load(py::reinterpret_borrow<py::module_>(module)));
  } catch (...) {
    PyErr_Clear();  // half-imported; the next operand asks again
  }
  return api;
}

/// A text that Python finds without comparing letters.
py::handle interned(const char* text) { return PyUnicode_InternFromString(text); }

bool is_true(py::handle object, py::handle method) {
  const auto answer = py::reinterpret_steal<py::object>(PyObject_CallMethodNoArgs(object.ptr(), method.ptr()));
  if (!answer) throw py::error_already_set();
  return answer.ptr() == Py_True;
}

/// Lazy conjugates and negatives, which are not in memory: a tensor whose memory has the values.
py::object resolve(py::handle tensor, DType dtype) {
  static const py::handle is_neg = interned("is_neg");
  static const py::handle is_conj = interned("is_conj");
  py::object resolved = py::reinterpret_borrow<py::object>(tensor);
  if (is_complex(dtype) && is_true(tensor, is_conj)) resolved = resolved.attr("resolve_conj")();
  if ((is_complex(dtype) || is_floating(dtype)) && is_true(resolved, is_neg)) resolved = resolved.attr("resolve_neg")();
  return resolved;
}

[[noreturn]] void throw_unusable(py::handle tensor, Role role) {
  const auto text = [&tensor](const char* attribute) { return text_of(py::str(tensor.attr(attribute))); };
  const auto refuse = [&](const std::string& what, const char* fix) {
    throw_python(PyExc_NotImplementedError, fmt::format("{} is {}\nfix: {}", role.text(), what, fix));
  };
  if (text("device") != "cpu") {
    refuse(fmt::format("a torch tensor on device {}; trntensor computes on the CPU", text("device")),
           "call .cpu() first");
  }
  if (text("layout") != "torch.strided") {
    refuse(fmt::format("a torch tensor of layout {}", text("layout")), "call .to_dense() first");
  }
  throw py::type_error(
      fmt::format("{} is a torch tensor of {} that has no memory trntensor can read\nfix: convert it to "
                  "a plain tensor of a floating, complex, integer or bool type",
                  role.text(), text("dtype")));
}

/// Tensor over the memory; throws what torch threw when it has none to give.
Tensor exported(py::handle tensor) {
  const auto capsule = py::reinterpret_steal<py::object>(PyObject_CallOneArg(api->to_dlpack, tensor.ptr()));
  if (!capsule) throw py::error_already_set();
  return dlpack::from_capsule(capsule);
}

MutableTensorView as_bool(const MutableTensorView& bytes) {
  return {bytes.data(), DType::kBool, bytes.shape(), bytes.strides()};
}

/// Old versions of torch do not export bool, and leak memory when they say so.
Tensor exported_bool(py::handle tensor) {
  auto bytes = std::make_shared<Tensor>(exported(tensor.attr("view")(py::handle(api->uint8_dtype))));
  return Tensor::borrow(as_bool(bytes->mutable_view()), bytes);
}

Tensor memory_of(py::handle tensor, Role role) {
  static const py::handle dtype = interned("dtype");
  try {
    return tensor.attr(dtype).ptr() == api->bool_dtype ? exported_bool(tensor) : exported(tensor);
  } catch (const std::exception&) {
    PyErr_Clear();
  }
  throw_unusable(tensor, role);
}

/// A tensor that carries a forward-mode derivative, which would be lost in silence.
bool is_dual(py::handle tensor) {
  static const py::handle current_level = interned("_current_level");
  const auto level = py::reinterpret_steal<py::object>(PyObject_GetAttr(api->forward_ad, current_level.ptr()));
  const long number = level ? PyLong_AsLong(level.ptr()) : -1;
  PyErr_Clear();
  if (number < 0) return false;
  return !py::handle(api->forward_ad).attr("unpack_dual")(tensor).attr("tangent").is_none();
}

bool wants_grad(py::handle tensor) {
  static const py::handle requires_grad = interned("requires_grad");
  if (tensor.attr(requires_grad).ptr() != Py_True) return false;
  return py::reinterpret_borrow<py::object>(api->is_grad_enabled)().ptr() == Py_True;
}

}  // namespace

bool is_tensor(py::handle object) noexcept {
  return find_api() != nullptr && PyObject_TypeCheck(object.ptr(), api->tensor_type) != 0;
}

Converted from_tensor(py::handle tensor, Role role) {
  Tensor memory = memory_of(tensor, role);
  if (is_dual(tensor)) {
    throw_python(PyExc_NotImplementedError,
                 fmt::format("{} carries a forward-mode derivative\nfix: use gradients (requires_grad), or pass "
                             "torch.autograd.forward_ad.unpack_dual(x).primal",
                             role.text()));
  }
  const py::object resolved = resolve(tensor, memory.dtype());
  const bool is_copy = resolved.ptr() != tensor.ptr();
  if (is_copy) memory = memory_of(resolved, role);
  const MutableTensorView view = memory.mutable_view();
  return {.view = view,
          .kind = Kind::kTorch,
          .requires_grad = wants_grad(tensor),
          .is_copy = is_copy,
          .owner = std::make_shared<Tensor>(std::move(memory))};
}

py::object to_tensor(const Tensor& tensor) {
  const bool is_bool = tensor.dtype() == DType::kBool;
  const auto bytes = [&tensor] {
    const MutableTensorView view = tensor.mutable_view();
    return Tensor::borrow({view.data(), DType::kUInt8, view.shape(), view.strides()}, std::make_shared<Tensor>(tensor));
  };
  const py::capsule capsule = dlpack::to_capsule(is_bool ? bytes() : tensor);
  const auto result = py::reinterpret_steal<py::object>(PyObject_CallOneArg(api->from_dlpack, capsule.ptr()));
  if (!result) {
    PyErr_Clear();
    throw py::type_error(
        fmt::format("the result is {}, which this version of torch does not have\nfix: give another dtype",
                    to_string(tensor.dtype())));
  }
  return is_bool ? py::object(result.attr("view")(py::handle(api->bool_dtype))) : result;
}

std::optional<DType> dtype_of_object(py::handle object) {
  if (find_api() == nullptr || !py::isinstance(object, py::module_::import("torch").attr("dtype"))) return std::nullopt;
  std::string name = text_of(py::str(object));
  const std::string prefix = "torch.";
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  return parse_dtype(name);
}

void mark_as_written(py::handle tensor) {
  // Writing to an empty part of it counts as a write to the whole.
  tensor.attr("detach")().attr("unsqueeze")(0).attr("narrow")(0, 0, 0).attr("zero_")();
}

}  // namespace trntensor::python::torch
