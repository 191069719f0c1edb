// multi_einsum: several contractions, all checked before the first runs.
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr const char* kDoc =
    R"(multi_einsum(*contractions: Sequence[Any], alpha: complex = 1.0, dtype: DTypeLike | None = None, precision: str = "fast", target_forward_error: float | None = None, optimize: Optimize = True, memory_limit: int | str | None = None, seed: int = 0, num_threads: int = 0, backend: str = "auto") -> list[Array]

Contract several times: each argument is ``(subscripts, *operands)``, as ``einsum`` takes them. Results in order.

All contractions are checked and planned, and their results allocated, before the first runs. Options are those of
each. Raises as ``einsum`` does, and names the contraction.

>>> multi_einsum(("ij->i", [[1, 2], [3, 4]]), ("ij->j", [[1, 2], [3, 4]]))
[array([3, 7]), array([4, 6])])";

/// As a tuple, which nobody can take operands out of while they are contracted.
py::tuple as_tuple(py::handle contraction) {
  if (PyTuple_Check(contraction.ptr()) == 0 && PyList_Check(contraction.ptr()) == 0) {
    throw py::type_error("a contraction is a tuple of subscripts and operands, such as (\"ij,jk->ik\", a, b)");
  }
  return py::tuple(py::reinterpret_borrow<py::object>(contraction));
}

/// One after the other, for what a list of calls cannot carry: gradients, and functions that find paths.
py::list one_by_one(std::span<const py::tuple> contractions, const py::kwargs& keywords) {
  const py::object function = py::module_::import("trntensor._core").attr("einsum");
  py::list results;
  for (const py::tuple& contraction : contractions) results.append(function(*contraction, **keywords));
  return results;
}

py::list multi(const py::args& contractions, const py::kwargs& keywords) {
  constexpr std::uint32_t kTaken = takes::kAll & ~takes::kOut;
  const CallOptions options = read_options(keywords, kTaken, "multi_einsum");
  std::vector<py::tuple> kept;
  std::vector<Call> calls;
  calls.reserve(contractions.size());
  std::vector<ContractionCall> library_calls;
  bool is_plain = !options.find_path;
  double products = 0;
  for (const py::handle contraction : contractions) {
    const py::tuple& items = kept.emplace_back(as_tuple(contraction));
    const Call& call = calls.emplace_back(pointers(py::args(items)));
    is_plain &= !call.operands().require_grad();
    products += call.operands().products();
    const auto views = call.operands().views();
    library_calls.push_back({call.text(), {views.begin(), views.end()}});
  }
  if (!is_plain) return one_by_one(kept, keywords);
  std::vector<Tensor> tensors = run_work(products, [&] { return multi_einsum(library_calls, options.einsum); });
  py::list results;
  for (std::size_t c = 0; c < tensors.size(); ++c) {
    results.append(to_python(std::move(tensors[c]), calls[c].operands().result_kind()));
  }
  return results;
}

}  // namespace

void bind_multi_einsum(py::module_& module) { module.def("multi_einsum", &multi, kDoc); }

}  // namespace trntensor::python
