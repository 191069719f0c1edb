// trntensor mp2: cases in every format, references, options, JSON names, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/quantum/mp2_tolerance.hpp"
#include "trntensor/tensor/files.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/npz.hpp"

namespace trntensor::testing {
namespace {

namespace fs = std::filesystem;

class Mp2Verb : public ProgramTest {
 protected:
  static fs::path example(const std::string& name) { return fs::path(TRNTENSOR_EXAMPLE_DATA) / name; }

  static std::vector<NamedTensor> water_arrays() {
    std::vector<NamedTensor> arrays;
    for (const char* name : {"eri", "C_occ", "C_vir", "eps_occ", "eps_vir"}) {
      arrays.push_back({name, load_tensor(example("water_cc-pvdz"), name)});
    }
    return arrays;
  }

  /// A folder of the program's with the arrays of water, and its reference unless left out.
  void copy_water(const std::string& name) {
    fs::copy(example("water_cc-pvdz"), path(name), fs::copy_options::recursive);
    fs::permissions(path(name), fs::perms::owner_all, fs::perm_options::add);
  }

  void write_reference(const std::string& name, const nlohmann::json& content) {
    fs::remove(path(name));
    std::ofstream(path(name)) << content.dump();
  }

  const std::string water_ = example("water_cc-pvdz").string();
};

constexpr double kWaterFrozen = -0.20185893943730635;
constexpr double kWaterAll = -0.20419082724013876;

TEST_F(Mp2Verb, JsonHasTheNamesOfTheManual) {
  const auto object = run({"mp2", water_, "--json"}).json();
  EXPECT_EQ(keys(object), (std::vector<std::string>{"case",
                                                    "molecule",
                                                    "basis",
                                                    "nbf",
                                                    "nocc",
                                                    "nvir",
                                                    "naux",
                                                    "n_frozen",
                                                    "method",
                                                    "dtype",
                                                    "correlation_energy",
                                                    "opposite_spin",
                                                    "same_spin",
                                                    "scs_energy",
                                                    "sos_energy",
                                                    "reference",
                                                    "reference_program",
                                                    "difference",
                                                    "tolerance",
                                                    "agrees",
                                                    "seconds",
                                                    "gflops",
                                                    "workspace_bytes"}));
}

TEST_F(Mp2Verb, JsonSaysWhatWasComputed) {
  const auto object = run({"mp2", water_, "--json"}).json();
  EXPECT_EQ(object["molecule"], "water");
  EXPECT_EQ(object["basis"], "cc-pvdz");
  EXPECT_EQ(object["nbf"], 24);
  EXPECT_EQ(object["nocc"], 5);
  EXPECT_EQ(object["nvir"], 19);
  EXPECT_EQ(object["naux"], 84);
  EXPECT_EQ(object["n_frozen"], 1);
  EXPECT_EQ(object["method"], "mp2");
  EXPECT_EQ(object["dtype"], "float64");
  EXPECT_NEAR(object["correlation_energy"].get<double>(), kWaterFrozen, 1e-10);
  EXPECT_NEAR(object["opposite_spin"].get<double>(), -0.1510527353420347, 1e-10);
  EXPECT_NEAR(object["same_spin"].get<double>(), -0.050806204095271645, 1e-10);
  EXPECT_EQ(object["reference"], kWaterFrozen);
  EXPECT_LT(std::abs(object["difference"].get<double>()), 1e-10);
  EXPECT_EQ(object["agrees"], true);
  EXPECT_GT(object["seconds"].get<double>(), 0);
  EXPECT_GT(object["gflops"].get<double>(), 0);
}

TEST_F(Mp2Verb, SeveralCasesAreAList) {
  const auto object = run({"mp2", water_, example("n2_cc-pvdz").string(), "--json"}).json();
  EXPECT_EQ(keys(object), (std::vector<std::string>{"cases"}));
  ASSERT_EQ(object["cases"].size(), 2U);
  EXPECT_EQ(object["cases"][1]["molecule"], "n2");
  EXPECT_EQ(object["cases"][1]["n_frozen"], 2);
  EXPECT_EQ(object["cases"][1]["agrees"], true);
}

TEST_F(Mp2Verb, TheTableHasOneLineACase) {
  const Outcome outcome = run({"mp2", water_ + "/", example("glycine_cc-pvdz").string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  std::istringstream lines(outcome.out);
  std::string title;
  std::string water;
  std::string glycine;
  std::string rest;
  std::getline(lines, title);
  std::getline(lines, water);
  std::getline(lines, glycine);
  EXPECT_FALSE(std::getline(lines, rest)) << rest;
  for (const char* column : {"molecule", "basis", "nbf", "nocc (frozen)", "nvir", "naux", "E_corr/Eh", "reference/Eh",
                             "difference", "seconds", "GFLOP/s"}) {
    EXPECT_NE(title.find(column), std::string::npos) << column;
  }
  EXPECT_TRUE(water.starts_with("water     cc-pvdz   24          5 (1)    19    84  -0.2018589394  -0.2018589394  "))
      << water;
  EXPECT_NE(glycine.find("20 (5)    75   350  -0.8030267296  -0.8030267296"), std::string::npos) << glycine;
}

TEST_F(Mp2Verb, FrozenOrbitalsChooseTheReference) {
  const auto all = run({"mp2", water_, "--freeze-core", "0", "--json"}).json();
  EXPECT_EQ(all["n_frozen"], 0);
  EXPECT_EQ(all["reference"], kWaterAll);
  EXPECT_NEAR(all["correlation_energy"].get<double>(), kWaterAll, 1e-10);
  const auto two = run({"mp2", water_, "--freeze-core", "2", "--json"}).json();
  EXPECT_TRUE(two["reference"].is_null());
  EXPECT_TRUE(two["difference"].is_null());
  EXPECT_TRUE(two["agrees"].is_null());
}

TEST_F(Mp2Verb, SpinComponentScalingScalesTheReferenceToo) {
  const auto scs = run({"mp2", water_, "--scs", "--json"}).json();
  EXPECT_EQ(scs["method"], "scs-mp2");
  EXPECT_NEAR(scs["correlation_energy"].get<double>(), -0.19819868377553218, 1e-10);
  EXPECT_NEAR(scs["reference"].get<double>(), -0.19819868377553218, 1e-10);
  EXPECT_EQ(scs["correlation_energy"], scs["scs_energy"]);
  const auto sos = run({"mp2", water_, "--sos", "--json"}).json();
  EXPECT_EQ(sos["method"], "sos-mp2");
  EXPECT_NEAR(sos["correlation_energy"].get<double>(), 1.3 * -0.1510527353420347, 1e-10);
  EXPECT_EQ(sos["agrees"], true);
  expect_refused({"mp2", water_, "--scs", "--sos"}, {"--sos", "--scs"});
}

TEST_F(Mp2Verb, Float32AgreesToTenMicrohartree) {
  const auto object = run({"mp2", water_, "--dtype", "f32", "--json"}).json();
  EXPECT_EQ(object["dtype"], "float32");
  EXPECT_EQ(object["tolerance"], 1e-5);
  EXPECT_EQ(object["agrees"], true);
  EXPECT_NE(object["difference"], 0.0);
  EXPECT_LT(std::abs(object["difference"].get<double>()), 1e-6);
}

TEST_F(Mp2Verb, PairsAddUpToTheEnergy) {
  const auto object = run({"mp2", water_, "--pairs", "--json"}).json();
  double sum = 0;
  ASSERT_EQ(object["pair_energies"].size(), 4U);
  for (const auto& row : object["pair_energies"]) {
    for (const auto& energy : row) sum += energy.get<double>();
  }
  // Terms of one sign: a unit roundoff for each of the 16 additions here, the 9 of pairs i <= j in the program, and
  // those of both parts on either side.
  const double energy = object["correlation_energy"].get<double>();
  EXPECT_NEAR(sum, energy, (16 + 9 + 2) * 0x1p-53 * std::abs(energy));
  EXPECT_EQ(object["pair_same_spin"].size(), 4U);
  const Outcome text = run({"mp2", water_, "--pairs"});
  EXPECT_NE(text.out.find("\npairs of water cc-pvdz"), std::string::npos) << text.out;
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 2 + 3 + 10);
}

TEST_F(Mp2Verb, ThreadsAndMemoryChangeNothing) {
  const auto expected = run({"mp2", water_, "--json"}).json();
  const auto small = run({"mp2", water_, "--threads", "1", "--memory", "1M", "--json"}).json();
  // Both of the exact energy: 84 auxiliary functions, of B made by two sums over 24 orbitals.
  const double tolerance = 2 * relative_tolerance(84 + 2 * 24, 0x1p-53);
  EXPECT_NEAR(small["correlation_energy"].get<double>(), expected["correlation_energy"].get<double>(),
              tolerance * std::abs(expected["opposite_spin"].get<double>()));
  EXPECT_LE(small["workspace_bytes"], 1 << 20);
  expect_refused({"mp2", example("benzene_cc-pvdz").string(), "--memory", "60K"}, {"93 x 93", "60 KiB", "72792 bytes"});
}

TEST_F(Mp2Verb, ReadsArchivesWithTheReferenceBeside) {
  save_npz(path("water.npz"), water_arrays());
  save_hdf5(path("water.h5"), water_arrays());
  for (const char* name : {"water.npz", "water.h5"}) {
    const auto alone = run({"mp2", name, "--json"}).json();
    EXPECT_NEAR(alone["correlation_energy"].get<double>(), kWaterAll, 1e-10) << "nothing is frozen without a reference";
    EXPECT_EQ(alone["molecule"], "water");
    EXPECT_TRUE(alone["reference"].is_null());
  }
  fs::copy(example("water_cc-pvdz") / "reference.json", path("water.json"));
  for (const char* name : {"water.npz", "water.h5"}) {
    const auto object = run({"mp2", name, "--json"}).json();
    EXPECT_EQ(object["n_frozen"], 1) << name;
    EXPECT_EQ(object["agrees"], true) << name;
  }
  fs::rename(path("water.json"), path("reference.json"));
  EXPECT_EQ(run({"mp2", "water.npz", "--json"}).json()["agrees"], true);
}

TEST_F(Mp2Verb, AMissedReferenceWarnsAndExitsWithOne) {
  copy_water("water");
  write_reference("water/reference.json", {{"reference", {{"mine", {{"n_frozen", 0}, {"e_corr", -0.2042}}}}}});
  const Outcome outcome = run({"mp2", "water"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("MISSED"), std::string::npos) << outcome.out;
  EXPECT_TRUE(outcome.err.starts_with("trntensor: warning: water: ")) << outcome.err;
  EXPECT_NE(outcome.err.find("more than the tolerance 1.0e-08"), std::string::npos) << outcome.err;
  const Outcome json = run({"mp2", "water", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(json.json()["agrees"], false);
  EXPECT_EQ(run({"mp2", "water", "--tolerance", "1e-4"}).exit_code, 0);
}

TEST_F(Mp2Verb, MistakesInCasesNameTheArray) {
  expect_refused({"mp2", "nowhere"}, {"nowhere: no such file or folder"});
  expect_refused({"mp2"}, {"cases"});
  copy_water("water");
  fs::remove(path("water/C_vir.npy"));
  expect_refused({"mp2", "water"}, {"water has no array C_vir", "C_occ", "eps_occ"});
  fs::remove(path("water/eri.npy"));
  expect_refused({"mp2", "water"}, {"water has no array eri", "either B or eri"});
  expect_refused({"mp2", "water/eps_occ.npy"}, {"eps_occ.npy is one array", "folder"});
}

TEST_F(Mp2Verb, ArraysThatDoNotFitAreNamed) {
  copy_water("water");
  fs::remove(path("water/reference.json"));
  fs::remove(path("water/eps_vir.npy"));
  save("water/eps_vir", Tensor::zeros({18}, DType::kFloat64));
  expect_refused({"mp2", "water"}, {"eps_vir has 18 energies", "nvir = 19"});
  expect_refused({"mp2", water_, "--dtype", "bf16"}, {"bfloat16", "float32 or float64"});
}

TEST_F(Mp2Verb, MistakesInNumbersNameTheOption) {
  for (const char* count : {"-1", "6", "1.5", "", "many", "99999999999999999999"}) {
    expect_refused({"mp2", water_, "--freeze-core", count},
                   {"--freeze-core is \"" + std::string(count) + "\", not a whole number from 0 to 5"});
  }
  for (const char* number : {"0", "-1", "nan", "inf", "", "small"}) {
    expect_refused({"mp2", water_, "--tolerance", number},
                   {"--tolerance \"" + std::string(number) + "\" is no positive number"});
  }
}

TEST_F(Mp2Verb, ReferencesThatDoNotFitAreNamed) {
  copy_water("water");
  write_reference("water/reference.json", {{"nocc", 6}});
  expect_refused({"mp2", "water"}, {"reference.json says nocc = 6, the arrays have 5"});
  write_reference("water/reference.json", {{"nocc", "five"}});
  expect_refused({"mp2", "water"}, {"\"nocc\"", "reference.json", "five"});
  write_reference("water/reference.json", {{"reference", {{"mine", {{"n_frozen", 0}}}}}});
  expect_refused({"mp2", "water"}, {"\"mine\"", "no e_corr"});
  const nlohmann::json energy = {{"n_frozen", 1}, {"e_corr", kWaterFrozen}};
  write_reference("water/reference.json", {{"n_frozen_core", 1}, {"reference", {{"one", energy}, {"two", energy}}}});
  expect_refused({"mp2", "water"}, {"reference.json has two references of n_frozen 1"});
  std::ofstream(path("water/reference.json")) << "{";
  expect_refused({"mp2", "water"}, {"reference.json is not JSON"});
  write_reference("water/reference.json", nlohmann::json::array({1, 2}));
  expect_refused({"mp2", "water"}, {"reference.json", "objects"});
  write_reference("water/reference.json", {{"n_frozen_core", 99}});
  expect_refused({"mp2", "water"}, {"reference.json says n_frozen_core = 99", "5 occupied", "--freeze-core"});
  write_reference("water/reference.json", {{"n_frozen_core", 1.5}});
  expect_refused({"mp2", "water"}, {"\"n_frozen_core\"", "1.5", "whole number"});
}

TEST_F(Mp2Verb, ACaseThatFailsIsNamedAndLosesNoOther) {
  copy_water("broken");
  fs::remove(path("broken/eps_vir.npy"));
  save("broken/eps_vir", Tensor::zeros({18}, DType::kFloat64));
  fs::remove(path("broken/reference.json"));
  const Outcome outcome = run({"mp2", water_, "broken"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.out.find("-0.2018589394"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("case broken: eps_vir has 18 energies"), std::string::npos) << outcome.err;
}

TEST_F(Mp2Verb, NamesFromFilesCannotSteerTheTerminal) {
  copy_water("water");
  write_reference("water/reference.json", {{"molecule", "\u001b[31mred"}, {"basis", "a\nb"}});
  const Outcome outcome = run({"mp2", "water"});
  EXPECT_NE(outcome.out.find("?[31mred  a?b"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace trntensor::testing
