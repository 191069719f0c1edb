// A molecule as `trntensor mp2` takes it: arrays and, where there is one, the energy of another program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "trntensor/quantum/mp2.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli {

/// The energies of another program with one number of frozen orbitals, in Hartree.
struct ReferenceEnergy {
  double correlation_energy = 0;
  std::optional<double> opposite_spin;
  std::optional<double> same_spin;

  /// With spin-component scaling; nothing when the parts it takes are not known.
  [[nodiscard]] std::optional<double> scaled(const SpinScaling& scaling) const;
};

struct Molecule {
  std::string path;
  std::string name;   ///< as reference.json says, else that of the file
  std::string basis;  ///< empty when not known
  std::optional<Tensor> eri;
  std::optional<Tensor> C_occ;  ///< with eri only
  std::optional<Tensor> C_vir;  ///< with eri only
  std::optional<Tensor> B;      ///< instead of eri
  Tensor eps_occ;
  Tensor eps_vir;
  std::string reference_program;              ///< empty when there is none
  std::optional<std::int64_t> n_frozen_core;  ///< as reference.json says
  std::optional<std::int64_t> nbf;            ///< of eri, else as reference.json says
  std::filesystem::path reference_path;       ///< empty when there is none

  /// The reference with this number of frozen orbitals, if there is one. Throws InvalidArgument for a file that
  /// cannot be understood.
  [[nodiscard]] std::optional<ReferenceEnergy> reference(std::int64_t n_frozen) const;
};

/// Reads a folder of .npy files, a .npz or a .h5 with the arrays eps_occ, eps_vir and either B or eri, C_occ and
/// C_vir; B is taken when both are there. The reference is reference.json in the folder, or beside the file
/// NAME.json, else reference.json. Throws InvalidArgument that names the array that is missing, or the entry of the
/// reference that contradicts the arrays.
Molecule load_molecule(const std::filesystem::path& path);

}  // namespace trntensor::cli
