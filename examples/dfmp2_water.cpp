// The DF-MP2 correlation energy of water, from integrals in a folder to Hartree.
//
// usage: example_dfmp2_water [FOLDER OF CASES]   (default: examples/data)
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "trntensor/quantum/mp2.hpp"
#include "trntensor/quantum/transform.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/files.hpp"

using namespace trntensor;

namespace {

// Psi4 1.3.2, frozen core; examples/data/water_cc-pvdz/reference.json.
constexpr double kPsi4 = -0.201858939437;

int run(const std::filesystem::path& folder) {
  const Tensor eri = load_tensor(folder, "eri");      // [nbf, nbf, naux], fitted
  const Tensor C_occ = load_tensor(folder, "C_occ");  // [nbf, nocc]
  const Tensor C_vir = load_tensor(folder, "C_vir");  // [nbf, nvir]

  const Tensor B = ao_to_mo_transform(eri, C_occ, C_vir);
  std::printf("B%s from eri%s\n", format_shape(B.shape()).c_str(), format_shape(eri.shape()).c_str());

  Mp2Options options;
  options.n_frozen = 1;
  options.pairs = true;
  const Mp2Result energy = mp2_energy(B, load_tensor(folder, "eps_occ"), load_tensor(folder, "eps_vir"), options);
  std::printf("E_corr          %.12f Eh\n", energy.correlation_energy);
  std::printf("  opposite spin %.12f Eh\n", energy.opposite_spin);
  std::printf("  same spin     %.12f Eh\n", energy.same_spin);
  std::printf("SCS-MP2         %.12f Eh\n", energy.scs_energy());
  std::printf("pair 3,3        %.12f Eh\n", energy.pair_energies->at<double>({3, 3}));
  std::printf("Psi4            %.12f Eh, difference %.1e\n", kPsi4, energy.correlation_energy - kPsi4);
  return std::abs(energy.correlation_energy - kPsi4) < 1e-10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::filesystem::path(argc > 1 ? argv[1] : "examples/data") / "water_cc-pvdz");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
