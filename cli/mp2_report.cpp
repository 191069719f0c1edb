#include "cli/mp2_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/table.hpp"
#include "cli/tensor_json.hpp"

namespace trntensor::cli {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

double gflops(const Mp2Outcome& outcome) { return outcome.seconds > 0 ? outcome.flops / outcome.seconds * 1e-9 : 0; }

Row table_row(const Mp2Outcome& outcome) {
  const auto difference = outcome.difference();
  return {outcome.molecule,
          outcome.basis.empty() ? "-" : outcome.basis,
          outcome.nbf ? fmt::format("{}", *outcome.nbf) : "-",
          fmt::format("{} ({})", outcome.nocc, outcome.n_frozen),
          fmt::format("{}", outcome.nvir),
          fmt::format("{}", outcome.naux),
          fmt::format("{:.10f}", outcome.result.correlation_energy),
          outcome.reference ? fmt::format("{:.10f}", *outcome.reference) : "-",
          difference ? fmt::format("{:+.1e}{}", *difference, outcome.agrees() ? "" : " MISSED") : "-",
          fmt::format("{:.4f}", outcome.seconds),
          fmt::format("{:.1f}", gflops(outcome))};
}

}  // namespace

std::optional<double> Mp2Outcome::difference() const {
  if (!reference) return std::nullopt;
  return result.correlation_energy - *reference;
}

bool Mp2Outcome::agrees() const { return !reference || std::abs(*difference()) < tolerance; }

std::string mp2_table(const std::vector<Mp2Outcome>& outcomes) {
  std::vector<Row> rows;
  for (const Mp2Outcome& outcome : outcomes) rows.push_back(table_row(outcome));
  return format_table({{"molecule", true},
                       {"basis", true},
                       {"nbf"},
                       {"nocc (frozen)"},
                       {"nvir"},
                       {"naux"},
                       {"E_corr/Eh"},
                       {"reference/Eh"},
                       {"difference", true},
                       {"seconds"},
                       {"GFLOP/s"}},
                      rows);
}

std::string pair_table(const Mp2Outcome& outcome) {
  std::vector<Row> rows;
  const std::int64_t active = outcome.nocc - outcome.n_frozen;
  for (std::int64_t i = 0; i < active; ++i) {
    for (std::int64_t j = i; j < active; ++j) {
      const auto energy = [&](const std::optional<Tensor>& pairs) {
        return fmt::format("{:.10f}", pairs->at<double>({i, j}));
      };
      rows.push_back({fmt::format("{}", i + outcome.n_frozen), fmt::format("{}", j + outcome.n_frozen),
                      energy(outcome.result.pair_energies), energy(outcome.result.pair_opposite_spin),
                      energy(outcome.result.pair_same_spin)});
    }
  }
  return fmt::format("\npairs of {} {} (orbitals count from 0; a pair of different ones is in the energy twice)\n",
                     without_controls(outcome.molecule), without_controls(outcome.basis)) +
         format_table({{"i"}, {"j"}, {"E_ij/Eh"}, {"opposite spin/Eh"}, {"same spin/Eh"}}, rows);
}

Json to_json(const Mp2Outcome& outcome) {
  Json object;
  object["case"] = outcome.path;
  object["molecule"] = outcome.molecule;
  object["basis"] = outcome.basis.empty() ? Json() : Json(outcome.basis);
  object["nbf"] = or_null(outcome.nbf);
  object["nocc"] = outcome.nocc;
  object["nvir"] = outcome.nvir;
  object["naux"] = outcome.naux;
  object["n_frozen"] = outcome.n_frozen;
  object["method"] = outcome.method;
  object["dtype"] = to_string(outcome.result.dtype);
  object["correlation_energy"] = outcome.result.correlation_energy;
  object["opposite_spin"] = outcome.result.opposite_spin;
  object["same_spin"] = outcome.result.same_spin;
  object["scs_energy"] = outcome.result.scs_energy();
  object["sos_energy"] = outcome.result.sos_energy();
  object["reference"] = or_null(outcome.reference);
  object["reference_program"] = outcome.reference_program.empty() ? Json() : Json(outcome.reference_program);
  object["difference"] = or_null(outcome.difference());
  object["tolerance"] = outcome.tolerance;
  object["agrees"] = outcome.reference ? Json(outcome.agrees()) : Json();
  object["seconds"] = outcome.seconds;
  object["gflops"] = gflops(outcome);
  object["workspace_bytes"] = outcome.result.workspace_bytes;
  if (outcome.result.pair_energies) {
    object["pair_energies"] = to_json(*outcome.result.pair_energies);
    object["pair_opposite_spin"] = to_json(*outcome.result.pair_opposite_spin);
    object["pair_same_spin"] = to_json(*outcome.result.pair_same_spin);
  }
  return object;
}

}  // namespace trntensor::cli
