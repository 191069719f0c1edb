// Contractions prepared once and called many times, as opt_einsum's contract_expression.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/no_constructor.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/dispatch/contraction.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr const char* kFunctionDoc =
    R"(contract_expression(subscripts: str, *operands: ArrayLike | tuple[int, ...], constants: Sequence[int] = (), dtype: DTypeLike | None = None, precision: str = "fast", target_forward_error: float | None = None, optimize: Optimize = True, memory_limit: int | str | None = None, seed: int = 0, num_threads: int = 0, backend: str = "auto") -> ContractExpression

Prepare a contraction that is called many times with new data of the same shapes.

Each operand is an array like those to come, or its shape; those at the positions in ``constants`` are kept, and calls
leave them out. The options are as of ``einsum``.

>>> product = contract_expression("ij,jk->ik", (2, 3), (3, 2))
>>> product([[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [0, 0]])
array([[1, 2],
       [4, 5]]))";

constexpr const char* kClassDoc = R"(A contraction prepared by ``contract_expression``; call it with the operands.

Safe to call from several threads at once.

>>> total = contract_expression("i,i->", (3,), (3,))
>>> total([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], alpha=2.0)
12.0)";

constexpr const char* kCallDoc =
    R"(__call__(*operands: ArrayLike, out: Array | None = None, alpha: complex = 1.0, beta: complex = 0.0) -> Array

``out = alpha * contraction + beta * out``, as ``einsum``. Raises ValueError for operands of other shapes.)";

class ContractExpression {
 public:
  ContractExpression(const py::args& arguments, py::kwargs keywords) : keywords_(std::move(keywords)) {
    if (arguments.empty() || !py::isinstance<py::str>(arguments[0])) {
      throw py::type_error("contract_expression() takes subscripts, then arrays or shapes");
    }
    subscripts_ = arguments[0];
    const std::vector<std::size_t> constants = read_constants(arguments.size() - 1);
    options_ =
        read_options(keywords_, takes::kType | takes::kPath | takes::kRun | takes::kPlace, "contract_expression");
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      const bool is_constant = std::ranges::find(constants, k - 1) != constants.end();
      constants_.push_back(is_constant ? py::object(arguments[k]) : py::object());
      shapes_.append(is_shape(arguments[k]) ? py::object(py::tuple(py::list(arguments[k])))
                                            : shape_of(arguments[k], k - 1));
      if (is_constant && is_shape(arguments[k]))
        throw py::type_error(fmt::format("operand {} is constant, but a shape", k - 1));
    }
    (void)plan();
  }

  py::object operator()(const py::args& arguments, const py::kwargs& keywords) {
    const std::vector<PyObject*> all = with_constants(arguments);
    const Call call(all);
    CallOptions given = read_options(keywords, takes::kScale | takes::kOut, "ContractExpression.__call__");
    if (call.operands().require_grad()) return record(all, keywords);
    const auto contraction = prepared(call.operands().views(), call.operands().products());
    const auto views = call.operands().views();
    const Tensor out = given.out ? writable(given.out, "out") : empty_result(contraction->plan());
    if (!given.out && given.einsum.beta != 0.0) throw py::value_error("beta is nonzero but there is no out to scale");
    run_work(call.operands().products(),
             [&] { contraction->run_into(views, out.mutable_view(), {given.einsum.alpha, given.einsum.beta}); });
    if (!given.out) return to_python(out, call.operands().result_kind());
    if (torch::is_tensor(given.out)) torch::mark_as_written(given.out);
    return given.out;
  }

  Plan plan() const {
    py::tuple arguments(1 + shapes_.size());
    arguments[0] = subscripts_;
    for (std::size_t k = 0; k < shapes_.size(); ++k) arguments[k + 1] = shapes_[k];
    CallOptions options = options_;
    return Call(pointers(py::args(arguments)), true).plan(options);
  }

  py::tuple reduce() const {
    const py::object function = py::module_::import("trntensor").attr("contract_expression");
    const py::object make = py::module_::import("functools").attr("partial")(function, **keywords_with_constants());
    py::tuple arguments(1 + shapes_.size());
    arguments[0] = subscripts_;
    for (std::size_t k = 0; k < shapes_.size(); ++k)
      arguments[k + 1] = constants_[k] ? constants_[k] : py::object(shapes_[k]);
    return py::make_tuple(make, arguments);
  }

  std::string represent() const {
    return fmt::format("<ContractExpression {} of shapes {}>", text_of(subscripts_), repr_of(shapes_));
  }

 private:
  static bool is_shape(py::handle object) {
    if (!py::isinstance<py::tuple>(object)) return false;
    for (const py::handle extent : object) {
      if (PyIndex_Check(extent.ptr()) == 0) return false;
    }
    return true;
  }

  static py::object shape_of(py::handle object, std::size_t number) {
    const Shape shape = convert(object, {"operand", static_cast<int>(number)}).view.shape();
    return py::tuple(py::cast(std::vector<std::int64_t>(shape.begin(), shape.end())));
  }

  static Tensor empty_result(const Plan& plan) {
    return Tensor::empty(plan.spec().output_shape(), plan.contents().output_dtype);
  }

  std::vector<std::size_t> read_constants(std::size_t count) {
    std::vector<std::size_t> constants;
    if (!keywords_.contains("constants")) return constants;
    for (const py::handle position : keywords_["constants"]) {
      const std::int64_t place = read_whole("an entry of constants", position);
      if (place < 0 || place >= static_cast<std::int64_t>(count)) {
        throw py::value_error(fmt::format("constants names operand {}, there are {}", place, count));
      }
      constants.push_back(static_cast<std::size_t>(place));
    }
    keywords_ = py::kwargs(py::dict(keywords_).attr("copy")());
    keywords_.attr("pop")("constants");
    return constants;
  }

  py::dict keywords_with_constants() const {
    py::dict keywords = py::dict(keywords_).attr("copy")();
    py::list places;
    for (std::size_t k = 0; k < constants_.size(); ++k) {
      if (constants_[k]) places.append(k);
    }
    keywords["constants"] = py::tuple(places);
    return keywords;
  }

  std::vector<PyObject*> with_constants(const py::args& arguments) const {
    std::vector<PyObject*> all{subscripts_.ptr()};
    std::size_t next = 0;
    for (const py::object& constant : constants_) {
      if (constant) {
        all.push_back(constant.ptr());
      } else if (next < arguments.size()) {
        all.push_back(PyTuple_GET_ITEM(arguments.ptr(), static_cast<Py_ssize_t>(next)));
        ++next;
      } else {
        ++next;
      }
    }
    if (next == arguments.size() && all.size() == constants_.size() + 1) return all;
    throw py::value_error(fmt::format("{} operands given, the expression takes {}", arguments.size(), next));
  }

  /// What was prepared for operands of these types.
  std::shared_ptr<const Contraction> prepared(std::span<const TensorView> views, double products) {
    std::vector<DType> dtypes;
    for (const TensorView& view : views) dtypes.push_back(view.dtype());
    const auto found = contractions_.find(dtypes);
    if (found != contractions_.end()) return found->second;
    const std::string text = text_of(subscripts_);
    CallOptions options = options_;  // a copy: other threads may be here too
    if (options.find_path) find_given_path(options, text, views);
    check_shapes(views);
    auto made = run_work(products, [&] { return std::make_shared<const Contraction>(text, views, options.einsum); });
    contractions_.emplace(dtypes, made);
    return made;
  }

  void check_shapes(std::span<const TensorView> views) const {
    for (std::size_t k = 0; k < views.size(); ++k) {
      const Shape& shape = views[k].shape();
      const py::object given = py::tuple(py::cast(std::vector<std::int64_t>(shape.begin(), shape.end())));
      if (given.equal(shapes_[k])) continue;
      throw py::value_error(fmt::format("operand {} has shape {}, the expression was made for {}", k, repr_of(given),
                                        repr_of(shapes_[k])));
    }
  }

  py::object record(const std::vector<PyObject*>& all, const py::kwargs& keywords) const {
    py::tuple arguments(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) arguments[k] = py::reinterpret_borrow<py::object>(all[k]);
    py::dict merged = py::dict(keywords_).attr("copy")();
    merged.attr("update")(keywords);
    return py::module_::import("trntensor._autograd").attr("einsum")(arguments, merged);
  }

  py::object subscripts_;
  py::kwargs keywords_;
  CallOptions options_;
  std::vector<py::object> constants_;  // null where a call gives the operand
  py::list shapes_;
  std::map<std::vector<DType>, std::shared_ptr<const Contraction>> contractions_;
};

}  // namespace

void bind_expression(py::module_& module) {
  py::class_<ContractExpression>(module, "ContractExpression", py::custom_type_setup(forbid_new), py::is_final(),
                                 kClassDoc)
      .def("__call__", &ContractExpression::operator(), kCallDoc)
      .def_property_readonly("plan", &ContractExpression::plan,
                             "plan: ContractionPlan\n\nThe plan for float64 operands (or ``dtype``).")
      .def("__reduce__", &ContractExpression::reduce)
      .def("__repr__", &ContractExpression::represent);
  module.def(
      "contract_expression",
      [](const py::args& arguments, const py::kwargs& keywords) {
        return std::make_unique<ContractExpression>(arguments, keywords);
      },
      kFunctionDoc);
}

}  // namespace trntensor::python
