// Quantum chemistry: integral transforms and MP2 energies.
#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <array>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/operands.hpp"
#include "python/bindings/options.hpp"
#include "python/bindings/release.hpp"
#include "trntensor/quantum/mp2.hpp"
#include "trntensor/quantum/sos_mp2.hpp"
#include "trntensor/quantum/transform.hpp"

namespace py = pybind11;

namespace trntensor::python {
namespace {

constexpr double kLongWork = 1e30;  // without Python's lock, whatever the size

constexpr const char* kTransformDoc =
    R"(ao_to_mo_transform(eri: ArrayLike, C_occ: ArrayLike, C_vir: ArrayLike, *, dtype: DTypeLike | None = None, memory_limit: int | str | None = None, num_threads: int = 0) -> Array

Transform fitted three-index integrals to molecular orbitals: B[i,a,P] = sum_mn C_occ[m,i] C_vir[n,a] eri[m,n,P].

Shapes: eri[nbf, nbf, naux], C_occ[nbf, nocc], C_vir[nbf, nvir] -> [nocc, nvir, naux].
Types: real or complex floating point; the result has the promoted type, or ``dtype``. Gradients of torch tensors are
recorded. Raises ValueError for a wrong number of axes or rows, MemoryError when ``memory_limit`` cannot be kept.

>>> ao_to_mo_transform([[[1.0], [0.0]], [[0.0], [2.0]]], [[1.0], [1.0]], [[1.0], [3.0]])
array([[[7.]]]))";

constexpr const char* kPlanTransformDoc =
    R"(plan_ao_to_mo_transform(eri: ArrayLike, C_occ: ArrayLike, C_vir: ArrayLike, *, dtype: DTypeLike | None = None, memory_limit: int | str | None = None) -> ContractionPlan

The plan that ``ao_to_mo_transform`` runs. Raises as there.

>>> plan_ao_to_mo_transform([[[1.0]]], [[1.0]], [[1.0]]).strategy
'path')";

constexpr const char* kMp2Doc =
    R"(mp2_energy(B: ArrayLike, eps_occ: ArrayLike, eps_vir: ArrayLike, *, n_frozen: int = 0, scaling: str | tuple[float, float] = "mp2", dtype: DTypeLike | None = None, memory_limit: int | str | None = None, num_threads: int = 0) -> Array

The closed-shell MP2 correlation energy in Hartree from fitted integrals, a float64 without axes.

E = sum_ijab T_ijab (2 T_ijab - T_ijba) / (e_i + e_j - e_a - e_b) with T_ijab = sum_P B[i,a,P] B[j,b,P], which is never
held. Shapes: B[nocc, nvir, naux], eps_occ[nocc], eps_vir[nvir] in Hartree. ``n_frozen`` leading orbitals stay
uncorrelated. ``scaling``: "mp2", "scs", "sos", or weights of the opposite-spin and same-spin parts. ``dtype``: float32 or
float64, the type of the contraction. Source: Feyereisen, Fitzgerald, Komornicki, DOI 10.1016/0009-2614(93)87156-W.

Raises ValueError for wrong shapes, integer or complex B, numbers that are not finite, and a vanishing denominator;
MemoryError; NotImplementedError for torch tensors that require gradients.

>>> mp2_energy([[[1.0]]], [-1.0], [1.0])
-0.25)";

constexpr const char* kMp2EnergiesDoc =
    R"(mp2_energies(B: ArrayLike, eps_occ: ArrayLike, eps_vir: ArrayLike, *, n_frozen: int = 0, scaling: str | tuple[float, float] = "mp2", pairs: bool = False, dtype: DTypeLike | None = None, memory_limit: int | str | None = None, num_threads: int = 0) -> dict[str, Any]

All parts of the MP2 correlation energy in Hartree: a dictionary with "correlation_energy" (as ``mp2_energy``),
"opposite_spin", "same_spin", "scs_energy", "sos_energy" (floats), "workspace_bytes", "flops", "dtype", and with
``pairs=True`` the matrices "pair_energies", "pair_opposite_spin" and "pair_same_spin" over occupied orbitals.

Arguments and errors as of ``mp2_energy``.

>>> mp2_energies([[[1.0]]], [-1.0], [1.0])["opposite_spin"]
-0.25)";

constexpr const char* kSosDoc =
    R"(sos_mp2_energy(B: ArrayLike, eps_occ: ArrayLike, eps_vir: ArrayLike, *, n_frozen: int = 0, scaling: float = 1.3, dtype: DTypeLike | None = None, memory_limit: int | str | None = None, num_threads: int = 0) -> Array

The scaled opposite-spin MP2 energy in Hartree. Arguments and errors as of ``mp2_energy``; ``memory_limit`` may go down
to a few KiB. Source: Jung, Lochan, Dutoi, Head-Gordon, DOI 10.1063/1.1809602.

>>> sos_mp2_energy([[[1.0]]], [-1.0], [1.0])
-0.325)";

/// Three operands, and the options that all these functions have.
class Arguments {
 public:
  Arguments(const std::array<py::handle, 3>& operands, py::handle dtype, py::handle memory_limit,
            py::handle num_threads)
      : memory_limit_(read_memory_limit(memory_limit)), num_threads_(read_num_threads(num_threads)) {
    for (const py::handle operand : operands) operands_.add(operand);
    operands_.finish();
    if (!dtype.is_none()) dtype_ = parse_dtype_object(dtype);
  }

  [[nodiscard]] const Operands& operands() const noexcept { return operands_; }
  [[nodiscard]] const TensorView& view(std::size_t k) const { return operands_.views()[k]; }

  template <typename Options>
  void fill(Options& options) const {
    options.dtype = dtype_;
    options.memory_limit = memory_limit_;
    options.num_threads = num_threads_;
  }

  [[nodiscard]] TransformOptions transform_options() const {
    TransformOptions options;
    fill(options);
    return options;
  }

 private:
  Operands operands_;
  std::optional<DType> dtype_;
  std::optional<std::int64_t> memory_limit_;
  int num_threads_;
};

py::object transform(py::handle eri, py::handle C_occ, py::handle C_vir, py::handle dtype, py::handle memory_limit,
                     py::handle num_threads) {
  const Arguments arguments({eri, C_occ, C_vir}, dtype, memory_limit, num_threads);
  if (arguments.operands().require_grad()) {
    (void)plan_ao_to_mo_transform(arguments.view(0), arguments.view(1), arguments.view(2),
                                  arguments.transform_options());
    return py::module_::import("trntensor._core")
        .attr("einsum")("mi,na,mnP->iaP", C_occ, C_vir, eri, py::arg("dtype") = dtype,
                        py::arg("memory_limit") = memory_limit, py::arg("num_threads") = num_threads);
  }
  Tensor result = run_work(kLongWork, [&] {
    return ao_to_mo_transform(arguments.view(0), arguments.view(1), arguments.view(2), arguments.transform_options());
  });
  return to_python(std::move(result), arguments.operands().result_kind());
}

Plan plan_transform(py::handle eri, py::handle C_occ, py::handle C_vir, py::handle dtype, py::handle memory_limit) {
  const Arguments arguments({eri, C_occ, C_vir}, dtype, memory_limit, py::int_(0));
  return plan_ao_to_mo_transform(arguments.view(0), arguments.view(1), arguments.view(2),
                                 arguments.transform_options());
}

SpinScaling read_scaling(py::handle scaling) {
  if (py::isinstance<py::str>(scaling)) {
    const auto name = text_of(scaling);
    if (name == "mp2") return {};
    if (name == "scs") return kScsScaling;
    if (name == "sos") return kSosScaling;
    throw py::value_error(fmt::format("scaling is \"{}\"\nfix: give \"mp2\", \"scs\", \"sos\" or two weights", name));
  }
  if (!py::isinstance<py::sequence>(scaling) || py::len(scaling) != 2) {
    throw_type("scaling", scaling,
               "\"mp2\", \"scs\", \"sos\" or two weights: of the opposite-spin and same-spin parts");
  }
  return {read_real("scaling[0]", py::object(scaling[py::int_(0)])),
          read_real("scaling[1]", py::object(scaling[py::int_(1)]))};
}

void check_no_gradients(const Arguments& arguments, const char* function) {
  if (!arguments.operands().require_grad()) return;
  throw_python(
      PyExc_NotImplementedError,
      fmt::format("{} has no derivative, and an operand requires one\nfix: call it within torch.no_grad(), or pass "
                  ".detach()",
                  function));
}

py::object as_number(double energy, const Arguments& arguments) {
  return to_python(Tensor::scalar(energy), arguments.operands().result_kind());
}

py::object mp2(py::handle B, py::handle eps_occ, py::handle eps_vir, py::handle n_frozen, py::handle scaling,
               py::handle dtype, py::handle memory_limit, py::handle num_threads) {
  const Arguments arguments({B, eps_occ, eps_vir}, dtype, memory_limit, num_threads);
  check_no_gradients(arguments, "mp2_energy");
  Mp2Options options{.n_frozen = read_whole("n_frozen", n_frozen), .scaling = read_scaling(scaling)};
  arguments.fill(options);
  const Mp2Result result =
      run_work(kLongWork, [&] { return mp2_energy(arguments.view(0), arguments.view(1), arguments.view(2), options); });
  return as_number(result.correlation_energy, arguments);
}

py::dict to_dict(const Mp2Result& result, const ResultKind& kind) {
  py::dict parts;
  parts["correlation_energy"] = result.correlation_energy;
  parts["opposite_spin"] = result.opposite_spin;
  parts["same_spin"] = result.same_spin;
  parts["scs_energy"] = result.scs_energy();
  parts["sos_energy"] = result.sos_energy();
  parts["workspace_bytes"] = result.workspace_bytes;
  parts["flops"] = result.flops;
  parts["dtype"] = std::string(to_string(result.dtype));
  if (result.pair_energies) parts["pair_energies"] = to_python(*result.pair_energies, kind);
  if (result.pair_opposite_spin) parts["pair_opposite_spin"] = to_python(*result.pair_opposite_spin, kind);
  if (result.pair_same_spin) parts["pair_same_spin"] = to_python(*result.pair_same_spin, kind);
  return parts;
}

py::dict mp2_parts(py::handle B, py::handle eps_occ, py::handle eps_vir, py::handle n_frozen, py::handle scaling,
                   bool pairs, py::handle dtype, py::handle memory_limit, py::handle num_threads) {
  const Arguments arguments({B, eps_occ, eps_vir}, dtype, memory_limit, num_threads);
  check_no_gradients(arguments, "mp2_energies");
  Mp2Options options{.n_frozen = read_whole("n_frozen", n_frozen), .scaling = read_scaling(scaling), .pairs = pairs};
  arguments.fill(options);
  const Mp2Result result =
      run_work(kLongWork, [&] { return mp2_energy(arguments.view(0), arguments.view(1), arguments.view(2), options); });
  return to_dict(result, arguments.operands().result_kind());
}

py::object sos_mp2(py::handle B, py::handle eps_occ, py::handle eps_vir, py::handle n_frozen, py::handle scaling,
                   py::handle dtype, py::handle memory_limit, py::handle num_threads) {
  const Arguments arguments({B, eps_occ, eps_vir}, dtype, memory_limit, num_threads);
  check_no_gradients(arguments, "sos_mp2_energy");
  SosMp2Options options{.n_frozen = read_whole("n_frozen", n_frozen), .scaling = read_real("scaling", scaling)};
  arguments.fill(options);
  const double energy = run_work(
      kLongWork, [&] { return sos_mp2_energy(arguments.view(0), arguments.view(1), arguments.view(2), options); });
  return as_number(energy, arguments);
}

}  // namespace

void bind_quantum(py::module_& module) {
  const auto none = [](const char* name) { return py::arg(name) = py::none(); };
  const py::arg_v threads = py::arg("num_threads") = 0;
  const py::arg_v frozen = py::arg("n_frozen") = 0;
  const py::arg B("B"), eps_occ("eps_occ"), eps_vir("eps_vir");
  module.def("ao_to_mo_transform", &transform, py::arg("eri"), py::arg("C_occ"), py::arg("C_vir"), py::kw_only(),
             none("dtype"), none("memory_limit"), threads, kTransformDoc);
  module.def("plan_ao_to_mo_transform", &plan_transform, py::arg("eri"), py::arg("C_occ"), py::arg("C_vir"),
             py::kw_only(), none("dtype"), none("memory_limit"), kPlanTransformDoc);
  module.def("mp2_energy", &mp2, B, eps_occ, eps_vir, py::kw_only(), frozen, py::arg("scaling") = "mp2", none("dtype"),
             none("memory_limit"), threads, kMp2Doc);
  module.def("mp2_energies", &mp2_parts, B, eps_occ, eps_vir, py::kw_only(), frozen, py::arg("scaling") = "mp2",
             py::arg("pairs") = false, none("dtype"), none("memory_limit"), threads, kMp2EnergiesDoc);
  module.def("sos_mp2_energy", &sos_mp2, B, eps_occ, eps_vir, py::kw_only(), frozen, py::arg("scaling") = 1.3,
             none("dtype"), none("memory_limit"), threads, kSosDoc);
}

}  // namespace trntensor::python
