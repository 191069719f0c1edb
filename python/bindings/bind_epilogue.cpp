// trntensor.epilogue: formulas over the elements of a contraction that is never held.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/operands.hpp"
#include "python/bindings/options.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/dispatch/epilogue.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr double kLongWork = 1e30;

constexpr const char* kClassDoc = R"(A formula over the elements of a contraction: a value; operators make larger ones.

>>> x = element()
>>> print(2 * x - x * x)
2 * x - x * x)";

constexpr const char* kContractDoc =
    R"(einsum_with_epilogue(subscripts: str, *operands: ArrayLike, expression: Expression, tensors: Mapping[str, ArrayLike] = {}, output: str | None = None, dtype: DTypeLike | None = None, precision: str = "fast", memory_limit: int | str | None = None, num_threads: int = 0) -> Array

Evaluate a formula on the elements of a contraction while they are in cache; the contraction's result is never held.

``tensors`` are those that the formula names. The result has the labels that the formula leaves, in the order of
``output`` if given. ``precision`` is "fast" or "kahan". Raises ValueError for what is wrong with the call,
NotImplementedError for complex and integer contractions and torch tensors that require gradients, MemoryError.

>>> x = element()
>>> einsum_with_epilogue("ik,kj->ij", [[1.0, 2.0]], [[3.0], [4.0]], expression=sum("ij", x * x))
121.0)";

constexpr const char* kElementDoc = R"(element(labels: str | None = None) -> Expression

The element of the contraction's result; with labels, the one at exchanged indices: for a result over ``iajb``,
``element("ibja")`` has a and b exchanged.

>>> element("ibja")
x[ibja])";

constexpr const char* kTensorDoc = R"(tensor(name: str, labels: str) -> Expression

The element of a named tensor whose axes are labels of the result.

>>> element() / tensor("e", "i")
x / e[i])";

constexpr const char* kSumDoc = R"(sum(labels: str, x: Expression) -> Expression

Over all values of the labels.

>>> sum("j", element())
sum[j](x))";

constexpr const char* kMaxDoc = R"(max(a: Expression | str, b: Expression) -> Expression

The larger of two; or, when ``a`` is a text, over all values of its labels. NaN where either is NaN.

>>> max("ij", element()), max(element(), 0.0)
(max[ij](x), max(x, 0)))";

Expression read_expression(py::handle value) {
  py::detail::make_caster<Expression> caster;
  if (!caster.load(value, true)) throw_type("expression", value, "an Expression");
  return py::detail::cast_op<const Expression&>(caster);
}

py::object contract(const py::args& arguments, py::handle expression, const py::dict& tensors,
                    const std::optional<std::string>& output, py::handle dtype, py::handle precision,
                    py::handle memory_limit, py::handle num_threads) {
  if (arguments.empty() || !py::isinstance<py::str>(arguments[0])) {
    throw py::type_error("einsum_with_epilogue() takes subscripts and operands");
  }
  Operands operands;
  for (std::size_t k = 1; k < arguments.size(); ++k) operands.add(arguments[k]);
  operands.finish();
  Operands named_operands;
  const py::dict kept = copy_of(tensors);
  for (const auto& [name, tensor] : kept) named_operands.add(tensor);
  named_operands.finish();
  if (operands.require_grad() || named_operands.require_grad()) {
    throw_python(PyExc_NotImplementedError,
                 "einsum_with_epilogue has no derivative, and an operand requires one\nfix: pass .detach()");
  }
  std::vector<NamedView> named;
  for (const auto& [name, tensor] : kept) {
    named.push_back({read_text("a name", name, "a text"), named_operands.views()[named.size()]});
  }
  EpilogueOptions options{.output = output, .precision = parse_precision(read_text("precision", precision, "a name"))};
  if (!dtype.is_none()) options.dtype = parse_dtype_object(dtype);
  options.memory_limit = read_memory_limit(memory_limit);
  options.num_threads = read_num_threads(num_threads);
  const Expression formula = read_expression(expression);
  const auto subscripts = text_of(arguments[0]);
  Tensor result =
      run_work(kLongWork, [&] { return einsum_with_epilogue(subscripts, operands.views(), formula, named, options); });
  return to_python(std::move(result), operands.result_kind());
}

Expression maximum(py::handle a, const Expression& b) {
  if (py::isinstance<py::str>(a)) return epilogue::max(text_of(a), b);
  return epilogue::max(a.cast<Expression>(), b);
}

// By hand: pybind11's own makes an object without a value, and no method can be called of one whose __init__ was not.
PyObject* new_constant(PyTypeObject* /*type*/, PyObject* arguments, PyObject* keywords) noexcept {
  static char value_name[] = "value";
  static char* names[] = {value_name, nullptr};
  double value = 0;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "d:Expression", names, &value) == 0) return nullptr;
  try {
    return py::cast(Expression(value)).release().ptr();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

void bind_class(py::module_& module) {
  const auto set_up = [](PyHeapTypeObject* type) { type->ht_type.tp_new = new_constant; };
  py::class_<Expression>(module, "Expression", py::custom_type_setup(set_up), py::is_final(), py::module_local(),
                         kClassDoc)
      .def(py::init<double>(), py::arg("value"), "__init__(value: float) -> None\n\nA constant.")
      .def(
          "__add__", [](const Expression& a, const Expression& b) { return a + b; }, py::is_operator())
      .def(
          "__radd__", [](const Expression& a, const Expression& b) { return b + a; }, py::is_operator())
      .def(
          "__sub__", [](const Expression& a, const Expression& b) { return a - b; }, py::is_operator())
      .def(
          "__rsub__", [](const Expression& a, const Expression& b) { return b - a; }, py::is_operator())
      .def(
          "__mul__", [](const Expression& a, const Expression& b) { return a * b; }, py::is_operator())
      .def(
          "__rmul__", [](const Expression& a, const Expression& b) { return b * a; }, py::is_operator())
      .def(
          "__truediv__", [](const Expression& a, const Expression& b) { return a / b; }, py::is_operator())
      .def(
          "__rtruediv__", [](const Expression& a, const Expression& b) { return b / a; }, py::is_operator())
      .def("__neg__", [](const Expression& a) { return -a; })
      .def(
          "__eq__", [](const Expression& a, const Expression& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const Expression& a) { return py::hash(py::str(a.to_string())); })
      .def("__repr__", [](const Expression& a) { return a.to_string(); });
  py::implicitly_convertible<double, Expression>();
  py::implicitly_convertible<py::int_, Expression>();
}

}  // namespace

void bind_epilogue(py::module_& module) {
  py::module_ part = module.def_submodule("epilogue");
  bind_class(part);
  part.def(
      "element",
      [](const std::optional<std::string>& labels) {
        return labels ? epilogue::element(*labels) : epilogue::element();
      },
      py::arg("labels") = py::none(), kElementDoc);
  part.def("tensor", &epilogue::tensor, py::arg("name"), py::arg("labels"), kTensorDoc);
  part.def("exp", &epilogue::exp, py::arg("x"), "exp(x: Expression) -> Expression\n\n>>> exp(element())\nexp(x)");
  part.def("sqrt", &epilogue::sqrt, py::arg("x"), "sqrt(x: Expression) -> Expression\n\n>>> sqrt(element())\nsqrt(x)");
  part.def(
      "min", [](const Expression& a, const Expression& b) { return epilogue::min(a, b); }, py::arg("a"), py::arg("b"),
      "min(a: Expression, b: Expression) -> Expression\n\nThe smaller of two; NaN where either is NaN.\n\n"
      ">>> min(element(), 1.0)\nmin(x, 1)");
  part.def("max", &maximum, py::arg("a"), py::arg("b"), kMaxDoc);
  part.def(
      "sum", [](const std::string& labels, const Expression& x) { return epilogue::sum(labels, x); }, py::arg("labels"),
      py::arg("x"), kSumDoc);
  part.def("einsum_with_epilogue", &contract, py::kw_only(), py::arg("expression"), py::arg("tensors") = py::dict(),
           py::arg("output") = py::none(), py::arg("dtype") = py::none(), py::arg("precision") = "fast",
           py::arg("memory_limit") = py::none(), py::arg("num_threads") = 0, kContractDoc);
}

}  // namespace trntensor::python
