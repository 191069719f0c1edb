#include "python/bindings/call.hpp"

#include <fmt/format.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/dispatch/planning.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

Shape read_shape(py::handle shape) {
  Shape extents;
  for (const py::handle extent : shape) extents.push_back(read_whole("an extent", extent));
  return extents;
}

/// A view whose memory nobody touches, since it is only planned for.
TensorView view_of_shape(const Shape& shape) {
  static std::byte anywhere;
  return {&anywhere, DType::kFloat64, shape};
}

/// torch.einsum("ij,jk", [a, b]): the list is the operands, since no array is made of a list of tensors.
bool is_list_of_tensors(py::handle object) {
  if (PyList_Check(object.ptr()) == 0 && PyTuple_Check(object.ptr()) == 0) return false;
  const auto items = py::reinterpret_borrow<py::sequence>(object);
  return py::len(items) > 0 && torch::is_tensor(items[0]);
}

}  // namespace

std::vector<PyObject*> pointers(const py::args& arguments) {
  std::vector<PyObject*> result;
  for (const py::handle argument : arguments) result.push_back(argument.ptr());
  return result;
}

Call::Call(std::span<PyObject* const> arguments, bool shapes) {
  if (arguments.empty()) {
    throw py::type_error("einsum() takes subscripts and operands, as in einsum(\"ij,jk->ik\", a, b)");
  }
  is_text_ = PyUnicode_Check(arguments[0]) != 0;
  if (arguments[0] == Py_None || PyBytes_Check(arguments[0]) != 0) throw_type("subscripts", arguments[0], "a str");
  if (!is_text_) {
    if (shapes) throw py::type_error("shapes go with subscripts that are a text");
    labels_ = read_interleaved(arguments, operands_);
    operands_.finish();
    return;
  }
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(arguments[0], &size);
  if (text == nullptr) throw py::error_already_set();
  subscripts_ = {text, static_cast<std::size_t>(size)};
  const auto given = arguments.subspan(1);
  operands_.reserve(given.size());
  if (shapes) {
    for (PyObject* const shape : given) add_shape(shape);
  } else {
    add_operands(given);
    operands_.finish();
  }
}

void Call::add_operands(std::span<PyObject* const> arguments) {
  if (arguments.size() == 1 && is_list_of_tensors(arguments[0])) {
    const py::tuple tensors(py::reinterpret_borrow<py::object>(arguments[0]));
    for (const py::handle tensor : tensors) operands_.add(tensor);
    operands_.keep(tensors);
    return;
  }
  for (PyObject* const operand : arguments) operands_.add(operand);
}

void Call::add_shape(py::handle shape) {
  const bool is_list = PyList_Check(shape.ptr()) != 0 || PyTuple_Check(shape.ptr()) != 0;
  if (!is_list && !py::hasattr(shape, "shape")) throw_type("an operand", shape, "a shape, as shapes=True says");
  const py::object extents = is_list ? py::reinterpret_borrow<py::object>(shape) : py::object(shape.attr("shape"));
  operands_.add_view(view_of_shape(read_shape(extents)));
}

std::string Call::text() const {
  if (is_text_) return std::string(subscripts_);
  return spec().to_string();
}

Spec Call::spec() const {
  const std::vector<Shape> shapes = dispatch::shapes_of(operands_.views());
  return is_text_ ? parse_spec(subscripts_, shapes) : make_spec(labels_.inputs, labels_.output, shapes);
}

Tensor Call::run(CallOptions& options) const {
  if (options.find_path) find_given_path(options, text(), operands_.views());
  const auto views = operands_.views();
  return run_work(operands_.products(), [&] {
    if (is_text_) return einsum(subscripts_, views, options.einsum);
    std::vector<LabelledOperand> labelled;
    for (std::size_t k = 0; k < views.size(); ++k) labelled.push_back({views[k], labels_.inputs[k]});
    return einsum(labelled, labels_.output, options.einsum);
  });
}

Plan Call::plan(CallOptions& options) const {
  if (options.find_path) find_given_path(options, text(), operands_.views());
  const auto views = operands_.views();
  return run_work(operands_.products(), [&] {
    const std::optional<DType> out = dispatch::out_dtype(options.einsum);
    if (is_text_) return *dispatch::find_plan(subscripts_, views, options.einsum, out);
    return *dispatch::find_plan(spec(), views, options.einsum, out);
  });
}

}  // namespace trntensor::python
