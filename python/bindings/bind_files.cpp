// Tensors from and to files.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cerrno>
#include <filesystem>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/operands.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/files.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/npz.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr double kLongWork = 1e30;

constexpr const char* kLoadDoc =
    R"(load_tensor(path: str | os.PathLike[str], name: str = "", *, kind: str | None = None, raw_as: DTypeLike | None = None) -> Array

Read a tensor of a ``.npy``, ``.npz``, ``.h5`` or ``.hdf5`` file, or of a folder of ``.npy`` files.

``name`` says which; it may be left out where there is only one. ``kind`` is "numpy", "torch" or "tensor", else a NumPy
array where NumPy can be imported. ``raw_as`` is the type of elements that a ``.npy`` file calls raw bytes, as it does
bfloat16. Raises FileNotFoundError and OSError that name the path, ValueError for a name that is not there.

>>> import os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "a.npy")
>>> save_tensor(path, [[1, 2], [3, 4]])
>>> load_tensor(path)
array([[1, 2],
       [3, 4]]))";

constexpr const char* kListDoc = R"(list_tensors(path: str | os.PathLike[str]) -> list[str]

Names of the tensors in a file or folder that ``load_tensor`` reads.

>>> import os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "two.npz")
>>> save_tensors(path, {"a": [1.0], "b": [2.0]})
>>> list_tensors(path)
['a', 'b'])";

constexpr const char* kSaveDoc = R"(save_tensor(path: str | os.PathLike[str], tensor: ArrayLike, name: str = "") -> None

Write one tensor in the format of the extension; ``name`` is "data" where the format needs one. The file appears whole
or not at all. Raises OSError, ValueError for an unknown extension.

>>> import os, tempfile
>>> save_tensor(os.path.join(tempfile.mkdtemp(), "a.h5"), [1.0, 2.0], name="energies"))";

constexpr const char* kSaveAllDoc =
    R"(save_tensors(path: str | os.PathLike[str], tensors: Mapping[str, ArrayLike], *, compress: bool = False) -> None

Write several tensors to a new ``.npz``, ``.h5`` or ``.hdf5`` file. ``compress`` is for ``.npz``.

>>> import os, tempfile
>>> save_tensors(os.path.join(tempfile.mkdtemp(), "two.npz"), {"a": [1.0], "b": [2.0]}, compress=True))";

std::filesystem::path read_path(py::handle path) {
  const auto text = py::reinterpret_steal<py::object>(PyOS_FSPath(path.ptr()));
  if (!text) throw py::error_already_set();
  const py::object bytes = py::module_::import("os").attr("fsencode")(text);
  std::string name(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
  if (name.find('\0') != std::string::npos) throw py::value_error("embedded null byte in the path " + repr_of(text));
  return {std::move(name)};
}

/// Runs without the lock; a file that is not there is FileNotFoundError.
template <typename Work>
auto read_file(const std::filesystem::path& path, Work&& work) {
  std::error_code status;
  if (std::filesystem::status(path, status).type() == std::filesystem::file_type::not_found) {
    errno = ENOENT;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
    throw py::error_already_set();
  }
  return run_work(kLongWork, std::forward<Work>(work));
}

ResultKind read_kind(py::handle kind) {
  if (kind.is_none()) return {};
  const auto name = text_of(py::str(kind));
  if (name == "tensor") return {Kind::kOwn};
  if (name == "numpy") return py::module_::import("numpy"), ResultKind{Kind::kNumpy};
  if (name == "torch") {
    py::module_::import("torch");
    (void)torch::is_tensor(kind);  // has it looked up
    return {Kind::kTorch};
  }
  throw py::value_error(fmt::format("kind is \"{}\"\nfix: give \"numpy\", \"torch\" or \"tensor\"", name));
}

py::object load(py::handle path, const std::string& name, py::handle kind, py::handle raw_as) {
  const ResultKind wanted = read_kind(kind);
  const auto file = read_path(path);
  const std::optional<DType> raw = raw_as.is_none() ? std::nullopt : std::optional(parse_dtype_object(raw_as));
  Tensor tensor = read_file(file, [&] { return load_tensor(file, name, raw); });
  if (wanted.kind != Kind::kOwn && tensor.rank() == 0 && wanted.kind != Kind::kTorch && numpy::can_be_imported()) {
    return numpy::to_array(tensor, false);
  }
  return to_python(std::move(tensor), wanted);
}

std::vector<std::string> list(py::handle path) {
  const auto file = read_path(path);
  return read_file(file, [&] { return list_tensors(file); });
}

void save(py::handle path, py::handle object, const std::string& name) {
  const auto file = read_path(path);
  const Tensor tensor = to_tensor(object, "tensor");
  run_work(kLongWork, [&] { save_tensor(file, tensor, name); });
}

void save_all(py::handle path, const py::dict& tensors, bool compress) {
  const auto file = read_path(path);
  const py::dict kept = copy_of(tensors);
  std::vector<NamedTensor> named;
  for (const auto& [name, object] : kept)
    named.push_back({read_text("a name", name, "a text"), to_tensor(object, "tensor")});
  const std::string extension = file.extension().string();
  if (extension != ".npz" && extension != ".h5" && extension != ".hdf5") {
    throw py::value_error(
        fmt::format("{}: \"{}\" files do not hold several tensors\nfix: name the file .npz, .h5 or .hdf5",
                    file.string(), extension));
  }
  run_work(kLongWork, [&] {
    if (extension == ".npz") {
      save_npz(file, named, {.compress = compress});
    } else {
      save_hdf5(file, named);
    }
  });
}

}  // namespace

void bind_files(py::module_& module) {
  module.def("load_tensor", &load, py::arg("path"), py::arg("name") = "", py::kw_only(), py::arg("kind") = py::none(),
             py::arg("raw_as") = py::none(), kLoadDoc);
  module.def("list_tensors", &list, py::arg("path"), kListDoc);
  module.def("save_tensor", &save, py::arg("path"), py::arg("tensor"), py::arg("name") = "", kSaveDoc);
  module.def("save_tensors", &save_all, py::arg("path"), py::arg("tensors"), py::kw_only(), py::arg("compress") = false,
             kSaveAllDoc);
}

}  // namespace trntensor::python
