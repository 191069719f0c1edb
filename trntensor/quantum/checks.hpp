// What must hold of the arguments of the quantum-chemistry functions before any work starts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "trntensor/quantum/mp2.hpp"

namespace trntensor::quantum {

/// Throws InvalidArgument naming the first argument of ao_to_mo_transform that does not fit.
void check_transform(const TensorView& eri, const TensorView& C_occ, const TensorView& C_vir);

/// The type that `function`, mp2_energy or one of its kin, contracts in. Throws InvalidArgument for a B that is not
/// real floating point, Unsupported for a requested type other than float32 and float64.
DType contraction_dtype(const char* function, const TensorView& B, std::optional<DType> asked);

/// Throws InvalidArgument naming the argument of `function` whose shape or type does not fit, or n_frozen; Unsupported
/// naming one that is not in host memory.
void check_mp2(const char* function, const TensorView& B, const TensorView& eps_occ, const TensorView& eps_vir,
               std::int64_t n_frozen);

/// Throws InvalidArgument naming the weight of a part of the energy when it is not finite.
void check_scaling(const char* name, double scaling);

/// Orbital energies as float64. Throws InvalidArgument naming the first that is not finite.
Tensor read_energies(const char* name, const TensorView& energies);

/// The numbers that `read_energies` returned.
std::span<const double> values_of(const Tensor& energies);

/// Throws OutOfMemory with the need when the block of one pair of orbitals and the energies of all pairs do not fit
/// into `memory_limit`, or are not addressable.
void check_pair_memory(std::int64_t nocc, std::int64_t nvir, DType dtype, std::optional<std::int64_t> memory_limit);

/// Says why the energy is not finite: throws InvalidArgument naming the first element of B that is not finite (rows
/// from `first_row` on), or, if there is none, the type whose range the products left.
[[noreturn]] void explain_infinite_energy(const TensorView& B, std::int64_t first_row, DType contraction);

}  // namespace trntensor::quantum
