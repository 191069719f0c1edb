#include "cli/molecule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/table.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/files.hpp"

namespace trntensor::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json read_json(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::kIo, fmt::format("cannot read {}", path.string()));
  try {
    return Json::parse(file);
  } catch (const Json::exception& error) {
    throw_invalid(fmt::format("{} is not JSON: {}", path.string(), error.what()), path.string());
  }
}

/// The entry of an object as a T, or nothing when it is absent or null. Throws InvalidArgument for another type.
template <typename T>
std::optional<T> entry(const Json& object, const char* key, const fs::path& path) {
  if (!object.is_object()) throw_invalid(fmt::format("{} is not made of objects", path.string()), path.string());
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  if (std::is_integral_v<T> && !found->is_number_integer()) {
    throw_invalid(fmt::format("\"{}\" in {} is {}, not a whole number", key, path.string(), found->dump()), {},
                  "write a whole number");
  }
  try {
    return found->get<T>();
  } catch (const Json::exception& error) {
    throw_invalid(fmt::format("\"{}\" in {} is {}", key, path.string(), found->dump()), path.string(), error.what());
  }
}

fs::path find_reference(const fs::path& path) {
  std::error_code ignored;
  std::vector<fs::path> candidates;
  if (fs::is_directory(path, ignored)) {
    candidates = {path / "reference.json"};
  } else {
    candidates = {fs::path(path).replace_extension(".json"), path.parent_path() / "reference.json"};
  }
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const fs::path& candidate) { return fs::exists(candidate, ignored); });
  return found == candidates.end() ? fs::path() : *found;
}

/// What the reference says of a size must be so.
void check_size(const Json& reference, const char* key, std::int64_t actual, const fs::path& path) {
  const auto claimed = entry<std::int64_t>(reference, key, path);
  if (!claimed || *claimed == actual) return;
  throw_invalid(fmt::format("{} says {} = {}, the arrays have {}", path.string(), key, *claimed, actual), path.string(),
                "remove the reference, or give the one of this molecule");
}

void read_reference(Molecule& molecule) {
  const Json reference = read_json(molecule.reference_path);
  const fs::path& path = molecule.reference_path;
  molecule.name = entry<std::string>(reference, "molecule", path).value_or(molecule.name);
  molecule.basis = entry<std::string>(reference, "basis", path).value_or("");
  molecule.reference_program = entry<std::string>(reference, "program", path).value_or("unnamed");
  molecule.n_frozen_core = entry<std::int64_t>(reference, "n_frozen_core", path);
  if (molecule.nbf) check_size(reference, "nbf", *molecule.nbf, path);
  if (!molecule.nbf) molecule.nbf = entry<std::int64_t>(reference, "nbf", path);
  check_size(reference, "nocc", molecule.eps_occ.size(), path);
  check_size(reference, "nvir", molecule.eps_vir.size(), path);
  const Tensor& three_index = molecule.B ? *molecule.B : *molecule.eri;
  if (three_index.rank() == 3) check_size(reference, "naux", three_index.extent(2), path);
}

}  // namespace

std::optional<double> ReferenceEnergy::scaled(const SpinScaling& scaling) const {
  if (scaling.opposite_spin == 1.0 && scaling.same_spin == 1.0) return correlation_energy;
  if (!opposite_spin || (!same_spin && scaling.same_spin != 0)) return std::nullopt;
  return scaled_energy(scaling, *opposite_spin, same_spin.value_or(0.0));
}

std::optional<ReferenceEnergy> Molecule::reference(std::int64_t n_frozen) const {
  if (reference_path.empty()) return std::nullopt;
  const auto energies = entry<Json>(read_json(reference_path), "reference", reference_path);
  if (!energies) return std::nullopt;
  std::optional<ReferenceEnergy> found;
  for (const auto& [label, energy] : energies->items()) {
    if (entry<std::int64_t>(energy, "n_frozen", reference_path) != n_frozen) continue;
    if (found) {
      throw_invalid(fmt::format("{} has two references of n_frozen {}", reference_path.string(), n_frozen), {},
                    "leave one of them");
    }
    const auto total = entry<double>(energy, "e_corr", reference_path);
    if (!total)
      throw_invalid(fmt::format("\"{}\" in {} has no e_corr", without_controls(label), reference_path.string()));
    found = ReferenceEnergy{*total, entry<double>(energy, "e_opposite_spin", reference_path),
                            entry<double>(energy, "e_same_spin", reference_path)};
  }
  return found;
}

Molecule load_molecule(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw Error(ErrorKind::kIo, fmt::format("{}: no such file or folder", path.empty() ? "\"\"" : path.string()), {},
                "give a folder of .npy files, an .npz or an .h5 file");
  }
  if (path.extension() == ".npy" && !fs::is_directory(path, ignored)) {
    throw_invalid(fmt::format("{} is one array, a molecule is several", path.string()), {},
                  "give a folder of .npy files, an .npz or an .h5 file");
  }
  const std::vector<std::string> names = list_tensors(path);
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  const auto read = [&](const char* name) {
    if (!has(name)) {
      throw_invalid(fmt::format("{} has no array {}", path.string(), name), path.string(),
                    fmt::format("it has: {}; needed are eps_occ, eps_vir and either B or eri, C_occ, C_vir",
                                fmt::join(names, ", ")));
    }
    return load_tensor(path, name);
  };
  Molecule molecule;
  molecule.path = path.string();
  molecule.name = (path.has_filename() ? path : path.parent_path()).stem().string();
  if (has("B")) {
    molecule.B = read("B");
  } else {
    molecule.eri = read("eri");
    molecule.C_occ = read("C_occ");
    molecule.C_vir = read("C_vir");
    if (molecule.eri->rank() > 0) molecule.nbf = molecule.eri->extent(0);
  }
  molecule.eps_occ = read("eps_occ");
  molecule.eps_vir = read("eps_vir");
  molecule.reference_path = find_reference(path);
  if (!molecule.reference_path.empty()) read_reference(molecule);
  return molecule;
}

}  // namespace trntensor::cli
