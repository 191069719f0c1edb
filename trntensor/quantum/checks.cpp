#include "trntensor/quantum/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::quantum {
namespace {

void check_rank(const char* name, const TensorView& tensor, int rank, const char* axes) {
  if (tensor.rank() == rank) return;
  throw_invalid(fmt::format("{} must be {}D, it has shape {}", name, rank, format_shape(tensor.shape())), name,
                fmt::format("give {}", axes));
}

void check_inexact(const char* name, const TensorView& tensor) {
  if (is_floating(tensor.dtype()) || is_complex(tensor.dtype())) return;
  throw_invalid(fmt::format("{} is {}, integrals and orbitals are floating point", name, to_string(tensor.dtype())),
                name, "convert it to float64");
}

void check_host(const char* function, const char* name, const TensorView& tensor) {
  if (tensor.device().type == DeviceType::kHost) return;
  throw_unsupported(fmt::format("{} is on {}, {} runs on the host", name, to_string(tensor.device()), function), name,
                    "copy it to host memory");
}

void check_rows(const char* name, const TensorView& orbitals, std::int64_t nbf) {
  if (orbitals.shape()[0] == nbf) return;
  throw_invalid(fmt::format("{} of shape {} has {} rows, eri has {} basis functions", name,
                            format_shape(orbitals.shape()), orbitals.shape()[0], nbf),
                name, "give one row per basis function, one column per orbital");
}

void check_energies(const char* function, const char* name, const TensorView& energies, std::int64_t count,
                    const char* axis) {
  check_rank(name, energies, 1, fmt::format("one energy per orbital, {} of them", count).c_str());
  if (energies.shape()[0] != count) {
    throw_invalid(fmt::format("{} has {} energies, B has {} = {}", name, energies.shape()[0], axis, count), name,
                  "give one energy per orbital of B");
  }
  if (is_complex(energies.dtype())) {
    throw_invalid(fmt::format("{} is {}, orbital energies are real", name, to_string(energies.dtype())), name,
                  "give the real part");
  }
  check_host(function, name, energies);
}

}  // namespace

void check_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir) {
  check_rank("eri", eri, 3, "(nbf, nbf, naux): fitted three-index integrals");
  check_rank("C_occ", C_occ, 2, "(nbf, nocc): one column per occupied orbital");
  check_rank("C_vir", C_vir, 2, "(nbf, nvir): one column per virtual orbital");
  if (eri.shape()[0] != eri.shape()[1]) {
    throw_invalid(fmt::format("eri's first two dims must match, it has shape {}", format_shape(eri.shape())), "eri",
                  "give (nbf, nbf, naux); an array with the auxiliary index first needs permute({1, 2, 0})");
  }
  check_rows("C_occ", C_occ, eri.shape()[0]);
  check_rows("C_vir", C_vir, eri.shape()[0]);
  check_inexact("eri", eri);
  check_inexact("C_occ", C_occ);
  check_inexact("C_vir", C_vir);
}

DType contraction_dtype(const char* function, const TensorView& B, std::optional<DType> asked) {
  if (is_complex(B.dtype())) {
    throw_invalid(fmt::format("B is {}, {} is for real orbitals", to_string(B.dtype()), function), "B",
                  "give real integrals");
  }
  check_inexact("B", B);
  const DType own = accumulator_type(B.dtype());
  const DType dtype = asked.value_or(own);
  if (dtype != DType::kFloat32 && dtype != DType::kFloat64) {
    throw_unsupported(fmt::format("{} does not contract in {}", function, to_string(dtype)), "dtype",
                      "ask for float32 or float64");
  }
  return dtype;
}

void check_mp2(const char* function, const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
               std::int64_t n_frozen) {
  check_rank("B", B, 3, "(nocc, nvir, naux): three-index integrals over molecular orbitals");
  check_host(function, "B", B);
  check_energies(function, "eps_occ", eps_occ, B.shape()[0], "nocc");
  check_energies(function, "eps_vir", eps_vir, B.shape()[1], "nvir");
  if (n_frozen < 0 || n_frozen > B.shape()[0]) {
    throw_invalid(fmt::format("n_frozen = {} is outside [0, {}]", n_frozen, B.shape()[0]), "n_frozen",
                  "freeze at most the occupied orbitals there are");
  }
}

void check_scaling(const char* name, double scaling) {
  if (std::isfinite(scaling)) return;
  throw_invalid(fmt::format("{} is {}", name, scaling), name, "give a finite weight");
}

Tensor read_energies(const char* name, const TensorView& energies) {
  Tensor values = Tensor::empty(energies.shape(), DType::kFloat64);
  copy(energies, values.mutable_view());
  for (std::int64_t k = 0; k < values.size(); ++k) {
    const double value = values.data_as<double>()[k];
    if (std::isfinite(value)) continue;
    throw_invalid(fmt::format("{}[{}] is {}", name, k, value), name, "orbital energies must be finite");
  }
  return values;
}

std::span<const double> values_of(const Tensor& energies) {
  return {energies.data_as<double>(), static_cast<std::size_t>(energies.size())};
}

void check_pair_memory(std::int64_t nocc, std::int64_t nvir, DType dtype, std::optional<std::int64_t> memory_limit) {
  // Two energies are added up for each pair.
  const std::int64_t energies = saturated_multiply(saturated_multiply(nocc, nocc), 2 * sizeof(double));
  const auto square = checked_multiply(nvir, nvir);
  const auto block = square ? checked_multiply(*square, static_cast<std::int64_t>(size_of(dtype))) : std::nullopt;
  const auto bytes = block ? checked_add(*block, energies) : std::nullopt;
  if (!bytes) {
    throw Error(ErrorKind::kOutOfMemory, fmt::format("a block of {0} x {0} elements leaves 63 bits", nvir), "B");
  }
  if (!memory_limit || *bytes <= *memory_limit) return;
  throw Error(ErrorKind::kOutOfMemory,
              fmt::format("the block of one orbital pair, {0} x {0} elements, and the energies of all pairs need {1} "
                          "({2} bytes); the memory limit is {3} ({4} bytes)",
                          nvir, format_bytes(static_cast<double>(*bytes)), *bytes,
                          format_bytes(static_cast<double>(*memory_limit)), *memory_limit),
              "memory_limit", fmt::format("grant at least {} bytes", *bytes));
}

void explain_infinite_energy(const TensorView& B, std::int64_t first_row, DType contraction) {
  const std::int64_t naux = B.shape()[2];
  std::vector<double> row(static_cast<std::size_t>(naux));
  for (std::int64_t i = first_row; i < B.shape()[0]; ++i) {
    for (std::int64_t a = 0; a < B.shape()[1]; ++a) {
      copy(B.select(0, i).select(0, a), MutableTensorView::of(row.data(), Shape{naux}));
      for (std::size_t p = 0; p < row.size(); ++p) {
        if (std::isfinite(row[p])) continue;
        throw_invalid(fmt::format("B[{}, {}, {}] is {}", i, a, p, row[p]), "B", "every element must be finite");
      }
    }
  }
  throw_invalid(fmt::format("products of elements of B leave the range of {}", to_string(contraction)), "B",
                contraction == DType::kFloat32 ? "contract in float64, or check the units" : "check the units");
}

}  // namespace trntensor::quantum
