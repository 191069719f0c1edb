// A stand-in for the Python package ml_dtypes, which Debian does not have: bfloat16 as a type that another package adds
// to NumPy, with no arithmetic of its own.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_20_API_VERSION
#include <numpy/arrayobject.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace {

PyObject* get_item(void* memory, void* /*array*/) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, memory, sizeof bits);
  return PyFloat_FromDouble(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
}

int set_item(PyObject* number, void* memory, void* /*array*/) {
  const auto value = static_cast<float>(PyFloat_AsDouble(number));
  if (PyErr_Occurred() != nullptr) return -1;
  const auto bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);  // cut off, not rounded
  std::memcpy(memory, &bits, sizeof bits);
  return 0;
}

void copy(void* to, void* from, int /*swap*/, void* /*array*/) {
  if (from != nullptr) std::memcpy(to, from, sizeof(std::uint16_t));
}

struct Scalar {
  PyObject_HEAD std::uint16_t bits;
};

PyObject* make_type() {
  static PyType_Slot slots[] = {{0, nullptr}};
  static PyType_Spec spec = {"ml_dtypes.bfloat16", sizeof(Scalar), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject* const bases = PyTuple_Pack(1, reinterpret_cast<PyObject*>(&PyGenericArrType_Type));
  return bases == nullptr ? nullptr : PyType_FromSpecWithBases(&spec, bases);
}

/// Adds the type to NumPy, which keeps it as long as the process lives.
bool register_with_numpy(PyObject* type) {
  static PyArray_ArrFuncs functions;
  PyArray_InitArrFuncs(&functions);
  functions.getitem = get_item;
  functions.setitem = set_item;
  functions.copyswap = copy;
  auto* const descriptor = PyObject_New(PyArray_Descr, &PyArrayDescr_Type);
  if (descriptor == nullptr) return false;
  std::memset(reinterpret_cast<char*>(descriptor) + sizeof(PyObject), 0, sizeof(PyArray_Descr) - sizeof(PyObject));
  descriptor->typeobj = reinterpret_cast<PyTypeObject*>(type);
  descriptor->kind = 'V';
  descriptor->type = 'E';
  descriptor->byteorder = '=';
  descriptor->flags = NPY_USE_GETITEM | NPY_USE_SETITEM;
  descriptor->elsize = sizeof(std::uint16_t);
  descriptor->alignment = alignof(std::uint16_t);
  descriptor->f = &functions;
  descriptor->hash = -1;
  return PyArray_RegisterDataType(descriptor) >= 0;
}

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "ml_dtypes", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_ml_dtypes() {
  import_array();
  PyObject* const type = make_type();
  if (type == nullptr || !register_with_numpy(type)) return nullptr;
  PyObject* const module = PyModule_Create(&definition);
  if (module == nullptr || PyModule_AddObject(module, "bfloat16", type) < 0) return nullptr;
  return module;
}
