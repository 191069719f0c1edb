// What `trntensor mp2` says of its molecules.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "trntensor/quantum/mp2.hpp"

namespace trntensor::cli {

/// One molecule computed. Energies in Hartree.
struct Mp2Outcome {
  std::string path;
  std::string molecule;
  std::string basis;
  std::optional<std::int64_t> nbf;
  std::int64_t nocc = 0;
  std::int64_t nvir = 0;
  std::int64_t naux = 0;
  std::int64_t n_frozen = 0;
  std::string method;  ///< "mp2", "scs-mp2", "sos-mp2"
  Mp2Result result;
  std::optional<double> reference;
  std::string reference_program;
  double tolerance = 0;
  double seconds = 0;  ///< transformation and energy
  double flops = 0;    ///< of both

  [[nodiscard]] std::optional<double> difference() const;
  /// False when a reference is missed by the tolerance or more.
  [[nodiscard]] bool agrees() const;
};

/// One line a molecule.
std::string mp2_table(const std::vector<Mp2Outcome>& outcomes);

/// One line a pair of orbitals, with their energies.
std::string pair_table(const Mp2Outcome& outcome);

nlohmann::ordered_json to_json(const Mp2Outcome& outcome);

}  // namespace trntensor::cli
