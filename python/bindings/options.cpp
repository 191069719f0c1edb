#include "python/bindings/options.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <set>

#include "python/bindings/arguments.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

/// alpha and beta. A derivative with respect to them would be lost.
std::complex<double> read_number(const char* name, py::handle value) {
  if (torch::is_tensor(value) && convert(value, {name}).requires_grad) {
    throw_python(PyExc_NotImplementedError,
                 fmt::format("{0} requires a gradient, which is not recorded\nfix: give {0}.item(), or multiply by it "
                             "outside",
                             name));
  }
  const Py_complex number = PyComplex_AsCComplex(value.ptr());
  if (PyErr_Occurred() != nullptr) throw_no_number(name, value, "a number");
  return {number.real, number.imag};
}

/// [(0, 1), (0, 1)], with or without NumPy's "einsum_path" in front.
std::optional<ContractionPath> read_path(py::handle value) {
  ContractionPath path;
  std::size_t entry = 0;
  for (const py::handle pair : value) {
    if (entry++ == 0 && py::isinstance<py::str>(pair) && text_of(pair) == "einsum_path") continue;
    if (!py::isinstance<py::tuple>(pair) && !py::isinstance<py::list>(pair)) return std::nullopt;
    std::vector<int> positions;
    for (const py::handle position : pair) {
      const std::int64_t number = read_whole("an entry of the path", position);
      constexpr std::int64_t kMost = 1'000'000'000;
      positions.push_back(static_cast<int>(std::clamp(number, -kMost, kMost)));
    }
    path.push_back(std::move(positions));
  }
  return path;
}

/// Names of NumPy and opt_einsum: what searches until it has the best, what takes the cheapest pair, all others.
PathMethod read_method(const std::string& name) {
  static const std::set<std::string> best{"optimal", "dp", "dynamic-programming"};
  static const std::set<std::string> quick{"greedy", "eager", "opportunistic"};
  static const std::set<std::string> others{"auto",     "auto-hq",       "branch-all",       "branch-1",
                                            "branch-2", "random-greedy", "random-greedy-128"};
  if (best.contains(name)) return PathMethod::kOptimal;
  if (quick.contains(name)) return PathMethod::kGreedy;
  if (others.contains(name)) return PathMethod::kAuto;
  throw_invalid(
      fmt::format("optimize is \"{}\"", name), {},
      "give True, False, \"auto\", \"greedy\", \"optimal\" (or opt_einsum's names of such), a list of pairs, or a "
      "function");
}

void set_optimize(CallOptions& options, py::handle value) {
  if (value.is_none() || py::isinstance<py::bool_>(value)) return;
  if (py::isinstance<py::str>(value)) {
    options.einsum.optimize = read_method(text_of(value));
  } else if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    options.einsum.path = read_path(value);
    if (options.einsum.path) return;
    // NumPy's ("greedy", limit): the limit counts elements of the largest intermediate.
    const auto parts = py::reinterpret_borrow<py::sequence>(value);
    if (py::len(parts) != 2 || !py::isinstance<py::str>(parts[0])) throw_type("optimize", value, "a list of pairs");
    throw_unsupported("optimize is a name with a limit in elements", {},
                      "give the name alone, and memory_limit in bytes");
  } else if (PyCallable_Check(value.ptr()) != 0) {
    options.find_path = py::reinterpret_borrow<py::object>(value);
  } else {
    throw_type("optimize", value, "a bool, a name, a list of pairs or a function");
  }
}

void set_backend(CallOptions&, py::handle value) {
  const std::string name = read_text("backend", value, "a name");
  if (name == "auto" || name == "host" || name == "pytorch") return;
  if (name == "nki") {
    throw_python(PyExc_RuntimeError, "backend is \"nki\", but there is no NeuronCore\nfix: give \"auto\" or \"host\"");
  }
  throw_invalid(fmt::format("backend is \"{}\"", name), {}, "give \"auto\" or \"host\"");
}

void set_seed(CallOptions& options, py::handle value) {
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) {
    PyErr_Clear();
    throw_type("seed", value, "a whole number");
  }
  options.einsum.seed = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred() == nullptr) return;
  PyErr_Clear();
  throw py::value_error(fmt::format("seed is {}\nfix: give a number from 0 to 2^64 - 1", repr_of(value)));
}

bool is_true(py::handle value) {
  const int answer = PyObject_IsTrue(value.ptr());
  if (answer < 0) throw py::error_already_set();
  return answer != 0;
}

struct Keyword {
  const char* name;
  std::uint32_t group;
  void (*set)(CallOptions&, py::handle);
};

constexpr Keyword kKeywords[] = {
    {"alpha", takes::kScale, [](CallOptions& o, py::handle v) { o.einsum.alpha = read_number("alpha", v); }},
    {"out", takes::kOut, [](CallOptions& o, py::handle v) { o.out = py::reinterpret_borrow<py::object>(v); }},
    {"beta", takes::kOut, [](CallOptions& o, py::handle v) { o.einsum.beta = read_number("beta", v); }},
    {"dtype", takes::kType, [](CallOptions& o, py::handle v) { o.einsum.dtype = parse_dtype_object(v); }},
    {"precision", takes::kType,
     [](CallOptions& o, py::handle v) { o.einsum.precision = parse_precision(read_text("precision", v, "a name")); }},
    {"target_forward_error", takes::kType,
     [](CallOptions& o, py::handle v) { o.einsum.target_forward_error = read_real("target_forward_error", v); }},
    {"optimize", takes::kPath, set_optimize},
    {"memory_limit", takes::kPath, [](CallOptions& o, py::handle v) { o.einsum.memory_limit = read_memory_limit(v); }},
    {"seed", takes::kRun, set_seed},
    {"num_threads", takes::kRun, [](CallOptions& o, py::handle v) { o.einsum.num_threads = read_num_threads(v); }},
    {"backend", takes::kPlace, set_backend},
    {"shapes", takes::kShapes, [](CallOptions& o, py::handle v) { o.shapes = is_true(v); }},
};

[[noreturn]] void throw_unknown(const std::string& name, std::uint32_t taken, const char* function) {
  std::string known;
  for (const Keyword& keyword : kKeywords) {
    if ((keyword.group & taken) == 0) continue;
    known += known.empty() ? "" : ", ";
    known += keyword.name;
  }
  throw py::type_error(
      fmt::format("{}() got an unexpected keyword argument '{}'\nfix: it takes {}", function, name, known));
}

}  // namespace

int read_num_threads(py::handle value, const char* name) {
  constexpr std::int64_t kMost = 1'000'000;  // the library says what the bounds are
  return static_cast<int>(std::clamp(read_whole(name, value), -kMost, kMost));
}

std::optional<std::int64_t> read_memory_limit(py::handle value) {
  if (value.is_none()) return std::nullopt;
  if (py::isinstance<py::str>(value)) return parse_bytes(text_of(value), "memory_limit");
  const std::int64_t bytes = read_whole("memory_limit", value);
  if (bytes >= 0) return bytes;
  throw_invalid(fmt::format("memory_limit is {}", bytes), {}, "give a number of bytes, or None for no limit");
}

void set_option(CallOptions& options, py::handle name, py::handle value, std::uint32_t taken, const char* function) {
  for (const Keyword& keyword : kKeywords) {
    if (PyUnicode_CompareWithASCIIString(name.ptr(), keyword.name) != 0) continue;
    if ((keyword.group & taken) == 0) break;
    if (!value.is_none()) keyword.set(options, value);
    return;
  }
  throw_unknown(text_of(name), taken, function);
}

CallOptions read_options(const py::kwargs& keywords, std::uint32_t taken, const char* function) {
  CallOptions options;
  for (const auto& [name, value] : keywords) set_option(options, name, value, taken, function);
  return options;
}

void find_given_path(CallOptions& options, std::string_view subscripts, std::span<const TensorView> operands) {
  if (!options.find_path || operands.size() < 2) return;
  std::vector<Shape> shapes;
  for (const TensorView& operand : operands) shapes.push_back(operand.shape());
  const Spec spec = parse_spec(subscripts, shapes);
  const auto names = [&spec](const Labels& labels) {
    py::set set;
    for (const Label label : labels) set.add(spec.names[static_cast<std::size_t>(label)]);
    return py::frozenset(set);
  };
  py::list inputs;
  for (const Labels& labels : spec.inputs) inputs.append(names(labels));
  py::dict sizes;
  for (std::size_t label = 0; label < spec.names.size(); ++label)
    sizes[spec.names[label].c_str()] = spec.extents[label];
  const py::object limit =
      options.einsum.memory_limit ? py::object(py::int_(*options.einsum.memory_limit)) : py::none();
  const py::object found = options.find_path(inputs, names(spec.output), sizes, limit);
  if (!py::isinstance<py::list>(found) && !py::isinstance<py::tuple>(found)) {
    throw_type("the path that optimize returned", found, "a list of pairs");
  }
  options.einsum.path = read_path(found);
  if (!options.einsum.path) throw_type("the path that optimize returned", found, "a list of pairs");
}

}  // namespace trntensor::python
