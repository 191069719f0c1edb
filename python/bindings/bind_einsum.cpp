// einsum: called through CPython's vector call, without the argument handling of pybind11.
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/errors.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr const char* kDoc = R"(einsum(*operands, **options)
--

einsum(subscripts: str | ArrayLike, *operands: ArrayLike, alpha: complex = 1.0, beta: complex = 0.0, out: Array | None = None, dtype: DTypeLike | None = None, precision: str = "fast", target_forward_error: float | None = None, optimize: Optimize = True, memory_limit: int | str | None = None, seed: int = 0, num_threads: int = 0, backend: str = "auto") -> Array

Contract operands by einsum notation.

Also ``einsum(a, [0, 1], b, [1, 2], [0, 2])``: operands and lists of labels that take turns, with the labels of the
result at the end, or without them for the implicit output. Labels are whole numbers or ``...``.

Operands are arrays of NumPy or torch, objects with ``__dlpack__`` or a buffer, numbers, or nested lists. Their memory
is read where it is, whatever the strides. The result is a torch tensor if an operand is one, else of the kind of the
first operand that is an array of another library, else a NumPy array; without axes a NumPy scalar. Torch operands
that require gradients get them.

Shapes: as the notation says; an extent of 1 broadcasts between operands.
Types: bool, integers, 8- to 64-bit floats, complex. Mixed ones promote as in NumPy; a Python number takes the type of
the others. 8- and 16-bit floats are summed in float32 and rounded once; integers wrap; bool is OR of ANDs.

alpha, beta, out: ``out = alpha * contraction + beta * out`` in place; ``beta=0`` never reads ``out``, which must have
  the result's shape and share no memory with an operand. Returns ``out``.
dtype: compute and return in this type: a name, or a type of NumPy, torch or Python.
precision: "fast"; "kahan" (float32 and narrower summed in float64, float64 in twice the digits); "dd" (within 2^-100);
  "sr" (rounded at random to a neighbour, by ``seed``).
target_forward_error: take the cheapest precision whose error is certainly below this times sum |a b|.
optimize: how the order of three or more operands is found: "auto" (also True and False), "greedy", "optimal", a list
  of pairs as of ``contract_path``, or a function as of opt_einsum.
memory_limit: bytes for intermediates and the result, or a text such as "512M".
num_threads: of this call; 0 for what ``set_num_threads`` says.
backend: "auto" or "host".

Raises ValueError for what is wrong with the call (a caret shows where), TypeError for an operand that is no array of
numbers, NotImplementedError for other devices, MemoryError. Long work ends when a signal handler raises.

>>> import numpy as np
>>> a = np.arange(6.0).reshape(2, 3)
>>> einsum("ij,kj->ik", a, a)
array([[ 5., 14.],
       [14., 50.]])
>>> einsum("ii->", [[1, 2], [3, 4]])
5
)";

/// Calls the Python function that records the call for gradients, with the same arguments.
py::object einsum_with_gradients(std::span<PyObject* const> arguments, PyObject* names, PyObject* const* values) {
  const py::object record = py::module_::import("trntensor._autograd").attr("einsum");
  py::tuple positional(arguments.size());
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    positional[k] = py::reinterpret_borrow<py::object>(arguments[k]);
  }
  py::dict keywords;
  const Py_ssize_t count = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < count; ++k) keywords[PyTuple_GET_ITEM(names, k)] = py::handle(values[k]);
  return record(positional, keywords);
}

py::object call_einsum(std::span<PyObject* const> arguments, PyObject* names, PyObject* const* values) {
  const Call call(arguments);
  CallOptions options;
  const Py_ssize_t count = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < count; ++k) {
    set_option(options, PyTuple_GET_ITEM(names, k), values[k], takes::kAll, "einsum");
  }
  if (call.operands().require_grad()) return einsum_with_gradients(arguments, names, values);
  if (!options.out) return to_python(call.run(options), call.operands().result_kind());
  options.einsum.out = writable(options.out, "out");
  (void)call.run(options);
  if (torch::is_tensor(options.out)) torch::mark_as_written(options.out);
  return options.out;
}

PyObject* einsum_entry(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  try {
    const auto positional = static_cast<std::size_t>(count);
    return call_einsum({arguments, positional}, names, arguments + count).release().ptr();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

// Casting through void (*)() is how CPython says that a function takes other arguments than its type tells.
PyMethodDef einsum_method = {"einsum", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(einsum_entry)),
                             METH_FASTCALL | METH_KEYWORDS, kDoc};

}  // namespace

void bind_einsum(py::module_& module) {
  PyObject* const name = PyModule_GetNameObject(module.ptr());
  const auto function = py::reinterpret_steal<py::object>(PyCFunction_NewEx(&einsum_method, module.ptr(), name));
  Py_XDECREF(name);
  if (!function) throw py::error_already_set();
  module.attr("einsum") = function;
}

}  // namespace trntensor::python
