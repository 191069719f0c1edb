#include "python/bindings/labels.hpp"

#include <fmt/format.h>

#include "python/bindings/arguments.hpp"
#include "trntensor/einsum/spec.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

bool is_list(py::handle object) {
  return PyList_Check(object.ptr()) != 0 || PyTuple_Check(object.ptr()) != 0 || PyRange_Check(object.ptr()) != 0 ||
         numpy::is_list_of_whole_numbers(object);
}

/// Numbers for labels: their own, or, as soon as one is none, places in the sorted order of all.
class Numbering {
 public:
  explicit Numbering(std::span<const py::handle> lists) {
    py::set others;
    bool are_numbers = true;
    for (const py::handle list : lists) {
      for (const py::handle label : list) {
        if (label.ptr() == Py_Ellipsis) continue;
        are_numbers &= PyIndex_Check(label.ptr()) != 0;
        others.add(label);
      }
    }
    if (are_numbers) return;
    const py::list sorted = py::module_::import("builtins").attr("sorted")(others);
    places_ = py::dict();
    for (std::size_t place = 0; place < sorted.size(); ++place) (*places_)[sorted[place]] = place;
  }

  std::vector<std::int64_t> numbers_of(py::handle list) const {
    std::vector<std::int64_t> numbers;
    for (const py::handle label : list) numbers.push_back(number_of(label));
    return numbers;
  }

 private:
  std::int64_t number_of(py::handle label) const {
    if (label.ptr() == Py_Ellipsis) return kEllipsis;
    if (places_) return (*places_)[label].cast<std::int64_t>();
    const std::int64_t number = read_whole("a label", label);
    if (number == kEllipsis) throw py::value_error("-2^63 is no label: it stands for the ellipsis");
    return number;
  }

  std::optional<py::dict> places_;
};

}  // namespace

Interleaved read_interleaved(std::span<PyObject* const> arguments, Operands& operands) {
  const std::size_t pairs = arguments.size() / 2;
  if (pairs == 0) {
    throw py::type_error(
        "einsum() takes subscripts and operands, as in einsum(\"ij,jk->ik\", a, b), or operands and lists of labels");
  }
  std::vector<py::handle> lists;
  for (std::size_t k = 0; k < pairs; ++k) {
    operands.add(arguments[2 * k]);
    lists.emplace_back(arguments[2 * k + 1]);
  }
  if (arguments.size() % 2 != 0) lists.emplace_back(arguments.back());
  for (std::size_t k = 0; k < lists.size(); ++k) {
    if (is_list(lists[k])) continue;
    throw py::type_error(
        fmt::format("{} is a {}, not a list of labels\nfix: write einsum(\"ij,jk->ik\", a, b), or "
                    "einsum(a, [0, 1], b, [1, 2], [0, 2])",
                    k < pairs ? fmt::format("the argument after operand {}", k) : "the last argument",
                    Py_TYPE(lists[k].ptr())->tp_name));
  }
  const Numbering numbering(lists);
  Interleaved result;
  for (std::size_t k = 0; k < pairs; ++k) result.inputs.push_back(numbering.numbers_of(lists[k]));
  if (lists.size() > pairs) result.output = numbering.numbers_of(lists.back());
  return result;
}

}  // namespace trntensor::python
