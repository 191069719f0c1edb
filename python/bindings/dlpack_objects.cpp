// Objects of other libraries, by the DLPack protocol of the Python array API standard.
#include <dlpack/dlpack.h>
#include <fmt/format.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/operands.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/dlpack.hpp"

namespace py = pybind11;

namespace trntensor::python::dlpack {
namespace {

constexpr const char* kName = "dltensor";
constexpr const char* kUsedName = "used_dltensor";

void delete_unused(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kName) == 0) return;  // somebody took it over
  auto* const handle = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kName));
  if (handle->deleter != nullptr) handle->deleter(handle);
}

/// The function of the object's library that takes objects with __dlpack__, or None.
py::object importer_of(py::handle like) {
  const auto module = text_of(py::str(py::type::of(like).attr("__module__")));
  const py::object top = py::module_::import("sys").attr("modules").attr("get")(module.substr(0, module.find('.')));
  if (py::hasattr(top, "from_dlpack")) return top.attr("from_dlpack");
  if (py::hasattr(top, "dlpack") && py::hasattr(top.attr("dlpack"), "from_dlpack")) {
    return top.attr("dlpack").attr("from_dlpack");
  }
  return py::none();
}

}  // namespace

bool has_dlpack(py::handle object) {
  return py::hasattr(object, "__dlpack__") && py::hasattr(object, "__dlpack_device__");
}

Converted from_object(py::handle object) {
  const py::object device = object.attr("__dlpack_device__")();
  constexpr int kCpu = 1;
  if (!py::isinstance<py::tuple>(device) || py::len(device) != 2) {
    throw_type("the answer of __dlpack_device__()", device, "a pair of numbers");
  }
  if (read_whole("the type of the DLPack device", device[py::int_(0)]) != kCpu) {
    throw_unsupported(fmt::format("a {} is on DLPack device {}, not on the host (1, 0)", Py_TYPE(object.ptr())->tp_name,
                                  repr_of(device)),
                      {}, "move it to the CPU first");
  }
  auto tensor = std::make_shared<Tensor>(from_capsule(object.attr("__dlpack__")()));
  const MutableTensorView view = tensor->mutable_view();
  return {.view = view, .kind = Kind::kDlpack, .owner = std::move(tensor)};
}

Tensor from_capsule(py::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), kName) == 0) {
    throw py::type_error(
        fmt::format("__dlpack__ returned a {}, not an unused capsule \"dltensor\"", Py_TYPE(capsule.ptr())->tp_name));
  }
  auto* const handle = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kName));
  PyCapsule_SetName(capsule.ptr(), kUsedName);
  PyCapsule_SetDestructor(capsule.ptr(), nullptr);
  Tensor tensor = trntensor::from_dlpack(handle);
  if (tensor.data() == nullptr && tensor.size() > 0) {
    throw py::type_error(fmt::format("__dlpack__ returned a null pointer for {} elements", tensor.size()));
  }
  return tensor;
}

py::capsule to_capsule(const Tensor& tensor) {
  DLManagedTensor* const handle = trntensor::to_dlpack(tensor);
  PyObject* const capsule = PyCapsule_New(handle, kName, delete_unused);
  if (capsule == nullptr) {
    handle->deleter(handle);
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::capsule>(capsule);
}

py::object to_object(const Tensor& tensor, py::handle like) {
  py::object own = py::cast(tensor);
  const py::object importer = importer_of(like);
  return importer.is_none() ? own : importer(own);
}

}  // namespace trntensor::python::dlpack
