// trntensor mp2: DF-MP2 correlation energies of molecules, beside those of another program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/molecule.hpp"
#include "cli/mp2_report.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/values.hpp"
#include "trntensor/quantum/transform.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli {
namespace {

struct Arguments {
  std::vector<std::string> cases;
  std::optional<std::string> freeze_core;
  std::optional<std::string> tolerance;
  std::optional<std::string> memory;
  std::optional<std::string> dtype;
  int threads = 0;
  bool scs = false;
  bool sos = false;
  bool pairs = false;
  bool json = false;
};

Mp2Options options_of(const Arguments& arguments, const Session& session) {
  Mp2Options options;
  if (arguments.scs) options.scaling = kScsScaling;
  if (arguments.sos) options.scaling = kSosScaling;
  options.pairs = arguments.pairs;
  if (arguments.dtype) options.dtype = parse_dtype(*arguments.dtype);
  if (arguments.memory) options.memory_limit = parse_bytes(*arguments.memory, "--memory");
  options.num_threads = arguments.threads;
  options.stop = session.stop;
  return options;
}

/// B of the molecule, transformed if need be.
Tensor three_index_integrals(const Molecule& molecule, const TransformOptions& options) {
  if (molecule.B) return *molecule.B;
  return ao_to_mo_transform(*molecule.eri, *molecule.C_occ, *molecule.C_vir, options);
}

double transform_flops(const Molecule& molecule, const TransformOptions& options) {
  if (molecule.B) return 0;
  return plan_ao_to_mo_transform(*molecule.eri, *molecule.C_occ, *molecule.C_vir, options).estimated_flops();
}

std::int64_t frozen_orbitals(const Molecule& molecule, const Arguments& arguments) {
  const std::int64_t nocc = molecule.eps_occ.size();
  if (arguments.freeze_core) return parse_integer(*arguments.freeze_core, "--freeze-core", 0, nocc);
  const std::int64_t count = molecule.n_frozen_core.value_or(0);
  if (count >= 0 && count <= nocc) return count;
  throw_invalid(fmt::format("{} says n_frozen_core = {}, and there are {} occupied orbitals",
                            molecule.reference_path.string(), count, nocc),
                {}, "correct it, or give --freeze-core");
}

Mp2Outcome compute(const Molecule& molecule, Mp2Options options, std::optional<double> tolerance,
                   const Arguments& arguments) {
  Mp2Outcome outcome;
  options.n_frozen = frozen_orbitals(molecule, arguments);
  Progress progress(molecule.path);
  options.progress = [&](std::int64_t done, std::int64_t total) { progress.update(done, total); };
  const TransformOptions transform{options.dtype, options.memory_limit, options.num_threads, options.stop};
  const auto start = std::chrono::steady_clock::now();
  const Tensor B = three_index_integrals(molecule, transform);
  outcome.result = mp2_energy(B, molecule.eps_occ, molecule.eps_vir, options);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.flops = transform_flops(molecule, transform) + outcome.result.flops;
  outcome.path = molecule.path;
  outcome.molecule = molecule.name;
  outcome.basis = molecule.basis;
  outcome.nbf = molecule.nbf;
  outcome.nocc = B.extent(0);
  outcome.nvir = B.extent(1);
  outcome.naux = B.extent(2);
  outcome.n_frozen = options.n_frozen;
  outcome.method = arguments.scs ? "scs-mp2" : arguments.sos ? "sos-mp2" : "mp2";
  const auto reference = molecule.reference(options.n_frozen);
  if (reference) outcome.reference = reference->scaled(options.scaling);
  if (outcome.reference) outcome.reference_program = molecule.reference_program;
  outcome.tolerance = tolerance.value_or(outcome.result.dtype == DType::kFloat64 ? 1e-8 : 1e-5);
  return outcome;
}

void print_outcomes(const std::vector<Mp2Outcome>& outcomes, const Arguments& arguments) {
  if (arguments.json) {
    nlohmann::ordered_json cases = nlohmann::ordered_json::array();
    for (const Mp2Outcome& outcome : outcomes) cases.push_back(to_json(outcome));
    print_json(outcomes.size() == 1 ? cases[0] : nlohmann::ordered_json{{"cases", cases}});
    return;
  }
  print(mp2_table(outcomes));
  if (!arguments.pairs) return;
  for (const Mp2Outcome& outcome : outcomes) print(pair_table(outcome));
}

void run(const Arguments& arguments, Session& session) {
  const Mp2Options options = options_of(arguments, session);
  std::optional<double> tolerance;
  if (arguments.tolerance) tolerance = parse_positive(*arguments.tolerance, "--tolerance");
  std::vector<Mp2Outcome> outcomes;
  for (const std::string& path : arguments.cases) {
    try {
      outcomes.push_back(compute(load_molecule(path), options, tolerance, arguments));
    } catch (const Error& error) {
      // What is done already is not lost; JSON is one object or none.
      if (!arguments.json && !outcomes.empty()) print_outcomes(outcomes, arguments);
      if (arguments.cases.size() == 1 || error.kind() == ErrorKind::kCancelled) throw;
      throw Error(error.kind(), fmt::format("case {}: {}", path, error.what()));
    }
  }
  print_outcomes(outcomes, arguments);
  for (const Mp2Outcome& outcome : outcomes) {
    if (outcome.agrees()) continue;
    warn(fmt::format("{}: {:.12f} Eh differs from the reference {:.12f} Eh by {:.1e}, more than the tolerance {:.1e}",
                     outcome.path, outcome.result.correlation_energy, *outcome.reference, *outcome.difference(),
                     outcome.tolerance));
    session.exit_code = 1;
  }
}

}  // namespace

void add_mp2(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("mp2", "DF-MP2 correlation energies of molecules");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("cases", arguments->cases,
                   "Folders of .npy files, .npz or .h5 files with eps_occ, eps_vir and B or eri, C_occ, C_vir, and "
                   "perhaps a reference.json (docs/mp2.md)")
      ->type_name("CASE")
      ->required();
  verb->add_option("--freeze-core", arguments->freeze_core,
                   "Leave the N lowest occupied orbitals uncorrelated [n_frozen_core of reference.json, else 0]")
      ->type_name("N");
  CLI::Option* scs =
      verb->add_flag("--scs", arguments->scs, "Spin-component scaling: 6/5 opposite spin + 1/3 same spin");
  verb->add_flag("--sos", arguments->sos, "Scaled opposite spin: 1.3 opposite spin")->excludes(scs);
  verb->add_flag("--pairs", arguments->pairs, "Energies of all pairs of occupied orbitals as well");
  verb->add_option("--dtype", arguments->dtype, "Contract in float32 or float64; the energy is summed in float64")
      ->type_name("TYPE");
  verb->add_option("--memory", arguments->memory, "Limit on the blocks of T, and on the transformation, such as 2G")
      ->type_name("SIZE");
  verb->add_option("--threads", arguments->threads, "Threads to use [TRNTENSOR_NUM_THREADS, else all CPUs]")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  verb->add_option("--tolerance", arguments->tolerance,
                   "Largest difference from a reference, in Hartree [1e-8 in float64, 1e-5 in float32]")
      ->type_name("E");
  verb->add_flag("--json", arguments->json, "Print one JSON object (docs/cli.md)");
  verb->footer(
      "The exit status is 1 when a reference energy is missed by the tolerance or more.\n\n"
      "Example: trntensor mp2 examples/data/*/ --scs");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace trntensor::cli
