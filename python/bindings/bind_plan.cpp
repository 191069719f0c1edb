// Plans: what a contraction will do, as a Python value.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/no_constructor.hpp"
#include "trntensor/plan/label_text.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/support/environment.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr const char* kPlanDoc = R"(The plan of a contraction: what runs, in which order, where and why. Immutable.

Plans compare, pickle, print as a table, and are stored as JSON.

>>> plan = plan_contraction("mi,na,mnP->iaP", (48, 8), (48, 40), (48, 48, 168), shapes=True)
>>> plan.strategy, plan.contraction_path
('path', [(0, 2), (0, 1)])
>>> ContractionPlan.from_json(plan.to_json()) == plan
True)";

constexpr const char* kPlanContractionDoc =
    R"(plan_contraction(subscripts: str | ArrayLike, *operands: ArrayLike, shapes: bool = False, dtype: DTypeLike | None = None, precision: str = "fast", target_forward_error: float | None = None, optimize: Optimize = True, memory_limit: int | str | None = None, backend: str = "auto") -> ContractionPlan

The plan that ``einsum`` runs for these operands, whose data is not touched.

With ``shapes=True`` operands are shapes, of float64 tensors if there is no ``dtype``. Raises as ``einsum`` does.

>>> plan_contraction("ij,kj->ik", (2, 3), (4, 3), shapes=True).transB
True)";

constexpr const char* kEstimateDoc =
    R"(estimate_flops(subscripts: str | ArrayLike, *operands: ArrayLike, shapes: bool = False) -> int

Multiply-adds of the contraction in one loop nest: the product of the extents of all labels. What the planned order
costs is in ``plan_contraction(...).estimated_flops``, which counts two for each multiply-add.

>>> estimate_flops("ij,jk->ik", (2, 3), (3, 5), shapes=True)
30)";

Plan plan_contraction(const py::args& arguments, const py::kwargs& keywords) {
  constexpr std::uint32_t kTaken = takes::kType | takes::kPath | takes::kPlace | takes::kShapes;
  CallOptions options = read_options(keywords, kTaken, "plan_contraction");
  return Call(pointers(arguments), options.shapes).plan(options);
}

/// Multiply-adds of one loop nest, which may be more than a double holds.
py::object points_of(const Spec& spec) {
  py::object product = py::int_(1);
  for (const std::int64_t extent : spec.extents) product = product * py::int_(extent);
  return product;
}

py::object estimate(const py::args& arguments, const py::kwargs& keywords) {
  CallOptions options = read_options(keywords, takes::kShapes, "estimate_flops");
  return points_of(Call(pointers(arguments), options.shapes).spec());
}

/// A whole number as Python's own, which has no largest.
py::object whole(double number) { return py::reinterpret_steal<py::object>(PyLong_FromDouble(number)); }

py::list path_of(const Plan& plan) {
  py::list path;
  for (const auto& entry : plan.contraction_path()) path.append(py::tuple(py::cast(entry)));
  return path;
}

py::list shapes_of(const Plan& plan) {
  py::list shapes;
  for (std::size_t k = 0; k < plan.spec().axes.size(); ++k) {
    const Shape shape = plan.spec().operand_shape(k);
    shapes.append(py::tuple(py::cast(std::vector<std::int64_t>(shape.begin(), shape.end()))));
  }
  return shapes;
}

py::list dtypes_of(const Plan& plan) {
  py::list names;
  for (const DType dtype : plan.contents().input_dtypes) names.append(std::string(to_string(dtype)));
  return names;
}

/// The steps as dictionaries.
py::list steps_of(const Plan& plan) {
  const std::vector<std::string> letters = plan::label_letters(plan.spec());
  py::list steps;
  for (const PlanStep& step : plan.steps()) {
    py::dict entry;
    entry["operands"] = py::tuple(py::cast(step.operands));
    entry["subscripts"] = plan::step_text(step, letters);
    entry["strategy"] = std::string(to_string(step.strategy));
    entry["backend"] = step.backend;
    entry["reason"] = step.reason;
    entry["transA"] = step.trans_a;
    entry["transB"] = step.trans_b;
    entry["dtype"] = std::string(to_string(step.dtype));
    entry["macs"] = whole(step.cost.macs);
    entry["bytes"] = whole(step.cost.bytes);
    entry["elements"] = whole(step.cost.elements);
    steps.append(entry);
  }
  return steps;
}

/// A table for notebooks.
std::string to_html(const Plan& plan) {
  const std::vector<std::string> letters = plan::label_letters(plan.spec());
  std::string rows;
  for (std::size_t s = 0; s < plan.steps().size(); ++s) {
    const PlanStep& step = plan.steps()[s];
    std::string text = plan::step_text(step, letters);
    text.replace(text.find("->"), 2, "&rarr;");
    rows += fmt::format(
        "<tr><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{:.3g}</td><td>{:.0f}</td>"
        "<td>{}</td></tr>",
        s + 1, text, to_string(step.strategy), step.backend, step.cost.macs, step.cost.elements,
        format_bytes(step.cost.bytes));
  }
  std::string title = plan.subscripts();
  title.replace(title.find("->"), 2, "&rarr;");
  return fmt::format(
      "<table><caption><code>{}</code>: {:.3g} multiply-adds, {} peak memory, error at most {:.3g} sum |a b|"
      "</caption><tr><th>step</th><th>contraction</th><th>strategy</th><th>backend</th><th>multiply-adds</th>"
      "<th>result elements</th><th>read and written</th></tr>{}</table>",
      title, plan.contents().macs, format_bytes(plan.contents().peak_bytes), plan.error_bound(), rows);
}

template <typename Class>
void add_original_fields(Class& plan) {
  plan.def_property_readonly("subscripts", &Plan::subscripts, "subscripts: str\n\nThe contraction.")
      .def_property_readonly("strategy", &Plan::strategy,
                             "strategy: str\n\nOf the only step: \"unary\", \"matmul\", \"bmm\" or \"general\"; "
                             "\"path\" for several steps.")
      .def_property_readonly("backend", &Plan::backend,
                             "backend: str\n\nWhere it runs: \"host\"; \"mixed\" when steps differ.")
      .def_property_readonly("transA", &Plan::trans_a,
                             "transA: bool\n\nThe contracted labels come first in the first operand.")
      .def_property_readonly("transB", &Plan::trans_b,
                             "transB: bool\n\nThe contracted labels come last in the second operand.")
      .def_property_readonly("contraction_indices", &Plan::contraction_indices,
                             "contraction_indices: list[str]\n\nLabels summed by the only step.")
      .def_property_readonly("batch_indices", &Plan::batch_indices,
                             "batch_indices: list[str]\n\nLabels of both operands and the result of the only step.")
      .def_property_readonly("output_indices", &Plan::output_indices,
                             "output_indices: list[str]\n\nLabels of the result.")
      .def_property_readonly(
          "estimated_flops", [](const Plan& p) { return whole(p.estimated_flops()); },
          "estimated_flops: int\n\nOf all steps, two for each multiply-add.")
      .def_property_readonly("contraction_path", &path_of,
                             "contraction_path: list[tuple[int, ...]]\n\nPositions in the current list of operands: "
                             "they are removed, the result is appended.")
      .def_property_readonly(
          "precision", [](const Plan& p) { return std::string(to_string(p.precision())); },
          "precision: str\n\n\"fast\", \"kahan\", \"dd\" or \"sr\".");
}

template <typename Class>
void add_own_fields(Class& plan) {
  plan.def_property_readonly(
          "dtype", [](const Plan& p) { return std::string(to_string(p.contents().output_dtype)); },
          "dtype: str\n\nElement type of the result.")
      .def_property_readonly(
          "shape",
          [](const Plan& p) {
            const Shape shape = p.spec().output_shape();
            return py::tuple(py::cast(std::vector<std::int64_t>(shape.begin(), shape.end())));
          },
          "shape: tuple[int, ...]\n\nOf the result.")
      .def_property_readonly("input_shapes", &shapes_of, "input_shapes: list[tuple[int, ...]]\n\nOf the operands.")
      .def_property_readonly("input_dtypes", &dtypes_of, "input_dtypes: list[str]\n\nOf the operands.")
      .def_property_readonly(
          "input_labels", [](const Plan& p) { return p.spec().axes; },
          "input_labels: list[list[int]]\n\nPer operand the number of each axis' label.")
      .def_property_readonly(
          "output_labels", [](const Plan& p) { return p.spec().output; },
          "output_labels: list[int]\n\nNumbers of the result's labels.")
      .def_property_readonly(
          "extents", [](const Plan& p) { return p.spec().extents; },
          "extents: list[int]\n\nPer label, after broadcasting.")
      .def_property_readonly(
          "method", [](const Plan& p) { return p.contents().method; },
          "method: str\n\nWhat found the order: \"optimal\", \"greedy\", \"given\" or \"trivial\".")
      .def_property_readonly(
          "macs", [](const Plan& p) { return whole(p.contents().macs); }, "macs: int\n\nMultiply-adds of all steps.")
      .def_property_readonly(
          "naive_macs", [](const Plan& p) { return points_of(p.spec()); },
          "naive_macs: int\n\nMultiply-adds of one loop nest over all labels.")
      .def_property_readonly(
          "largest_elements", [](const Plan& p) { return whole(p.contents().largest_elements); },
          "largest_elements: int\n\nOf the largest tensor, operands and result included.")
      .def_property_readonly(
          "peak_bytes", [](const Plan& p) { return whole(p.contents().peak_bytes); },
          "peak_bytes: int\n\nIntermediates and result alive at once, at most.")
      .def_property_readonly("error_bound", &Plan::error_bound,
                             "error_bound: float\n\nErrors are at most this times sum |a b|.")
      .def_property_readonly("steps", &steps_of, "steps: list[dict[str, Any]]\n\nWhat each step does and costs.");
}

template <typename Class>
void add_methods(Class& plan) {
  plan.def("to_json", &Plan::to_json, "to_json() -> str\n\nAll of the plan, as docs/plan-json.md says.")
      .def_static(
          "from_json", [](py::handle text) { return Plan::from_json(read_text("text", text, "a str")); },
          py::arg("text"),
          "from_json(text: str) -> ContractionPlan\n\nReads what ``to_json`` wrote. Raises ValueError for a "
          "field that is missing, mistyped or inconsistent.")
      .def("to_table", &Plan::to_table, "to_table() -> str\n\nThe steps and totals, for people.")
      .def("__str__", &Plan::to_table)
      .def("__repr__", [](const Plan& p) { return fmt::format("<ContractionPlan\n{}>", p.to_table()); })
      .def("_repr_html_", &to_html)
      .def(
          "__eq__", [](const Plan& p, const Plan& other) { return p == other; }, py::is_operator())
      .def("__hash__", [](const Plan& p) { return py::hash(py::str(p.subscripts())); })
      .def("__reduce__", [](py::handle self) {
        const py::object read =
            py::module_::import("operator").attr("methodcaller")("from_json", self.attr("to_json")());
        return py::make_tuple(read, py::make_tuple(py::type::of(self)));
      });
}

}  // namespace

void bind_plan(py::module_& module) {
  py::class_<Plan> plan(module, "ContractionPlan", py::custom_type_setup(forbid_new), py::is_final(),
                        py::module_local(), kPlanDoc);
  add_original_fields(plan);
  add_own_fields(plan);
  add_methods(plan);
  module.def("plan_contraction", &plan_contraction, kPlanContractionDoc);
  module.def("estimate_flops", &estimate, kEstimateDoc);
}

}  // namespace trntensor::python
