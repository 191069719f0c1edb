// Each misuse of mp2_energy, its kind, and the words that name the culprit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/quantum/mp2_oracle.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::Mp2Problem;
using testing::random_problem;

void expect_refused(const Mp2Problem& problem, const std::vector<std::string>& fragments,
                    const Mp2Options& options = {}) {
  expect_error(ErrorKind::kInvalidArgument, fragments, [&] { problem.energy(options); });
}

TEST(Mp2Errors, ShapesThatDoNotFitAreNamed) {
  Mp2Problem problem = random_problem(3, 5, 4);
  problem.B = problem.B.reshape({15, 4});
  expect_refused(problem, {"B must be 3D", "(15, 4)", "(nocc, nvir, naux)"});
  problem = random_problem(3, 5, 4);
  problem.eps_occ = Tensor::zeros({4}, DType::kFloat64);
  expect_refused(problem, {"eps_occ has 4 energies", "nocc = 3"});
  problem.eps_occ = Tensor::zeros({3, 1}, DType::kFloat64);
  expect_refused(problem, {"eps_occ must be 1D", "(3, 1)"});
  problem = random_problem(3, 5, 4);
  problem.eps_vir = Tensor::zeros({4}, DType::kFloat64);
  expect_refused(problem, {"eps_vir has 4 energies", "nvir = 5"});
  problem.eps_vir = Tensor::zeros({}, DType::kFloat64);
  expect_refused(problem, {"eps_vir must be 1D", "()"});
}

TEST(Mp2Errors, TypesThatDoNotFitAreNamed) {
  Mp2Problem problem = random_problem(3, 5, 4);
  problem.B = problem.B.astype(DType::kComplex128);
  expect_refused(problem, {"B is complex128", "mp2_energy", "real"});
  problem.B = Tensor::zeros({3, 5, 4}, DType::kInt32);
  expect_refused(problem, {"B is int32", "floating point"});
  problem = random_problem(3, 5, 4);
  problem.eps_vir = problem.eps_vir.astype(DType::kComplex64);
  expect_refused(problem, {"eps_vir is complex64", "real"});
  problem = random_problem(3, 5, 4);
  for (const DType dtype : {DType::kBFloat16, DType::kInt64, DType::kComplex128}) {
    expect_error(ErrorKind::kUnsupported,
                 {"mp2_energy does not contract in", std::string(to_string(dtype)), "float32 or float64"},
                 [&] { problem.energy({.dtype = dtype}); });
  }
}

TEST(Mp2Errors, FrozenOrbitalsMustExist) {
  const Mp2Problem problem = random_problem(3, 5, 4);
  expect_refused(problem, {"n_frozen = 4", "[0, 3]"}, {.n_frozen = 4});
  expect_refused(problem, {"n_frozen = -1", "[0, 3]"}, {.n_frozen = -1});
}

TEST(Mp2Errors, ScalingsThatAreNotFiniteAreNamed) {
  const Mp2Problem problem = random_problem(3, 5, 4);
  expect_refused(problem, {"scaling.opposite_spin is nan", "finite"}, {.scaling = {.opposite_spin = std::nan("")}});
  expect_refused(problem, {"scaling.same_spin is -inf", "finite"}, {.scaling = {.same_spin = -INFINITY}});
  expect_refused(problem, {"scaling.same_spin is nan"}, {.n_frozen = 3, .scaling = {.same_spin = std::nan("")}});
}

TEST(Mp2Errors, AVanishingDenominatorNamesItsOrbitals) {
  Mp2Problem problem = random_problem(3, 4, 4);
  problem.eps_occ = Tensor::from_values<double>({3}, {-20.0, -0.75, -0.5});
  problem.eps_vir = Tensor::from_values<double>({4}, {0.25, 3.0, -1.5, 2.0});
  // e_1 + e_2 = -1.25 = e_0 + e_2 of the virtuals.
  expect_refused(problem,
                 {"occupied orbitals 1, 2", "virtual orbitals 2, 0", "-0.75 + -0.5 - -1.5 - 0.25 = 0 Hartree"});
  expect_refused(problem, {"occupied orbitals 1, 2"}, {.n_frozen = 1});
  EXPECT_TRUE(std::isfinite(problem.energy({.n_frozen = 2}).correlation_energy)) << "frozen orbitals divide nothing";
}

TEST(Mp2Errors, DenominatorsAreJudgedByTheirSize) {
  Mp2Problem problem = random_problem(1, 1, 2);
  for (const double sign : {-1.0, 1.0}) {
    problem.eps_occ = Tensor::from_values<double>({1}, {sign * 0.5001 * kVanishingDenominator});
    problem.eps_vir = Tensor::from_values<double>({1}, {0.0});
    EXPECT_TRUE(std::isfinite(problem.energy().correlation_energy));
    problem.eps_occ = Tensor::from_values<double>({1}, {sign * 0.4999 * kVanishingDenominator});
    expect_refused(problem, {"occupied orbitals 0, 0", "virtual orbitals 0, 0", "Hartree"});
  }
}

TEST(Mp2Errors, EveryPairOfOverlappingLevelsIsSearched) {
  // Occupied and virtual levels interleave; exactly one combination vanishes, and it is found wherever it is.
  const std::vector<double> occupied = {-1.0, 0.13, 0.37};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      Mp2Problem problem = random_problem(3, 5, 2);
      problem.eps_occ = Tensor::from_values<double>({3}, std::span<const double>(occupied));
      const double partner = occupied[i] + occupied[j] - 0.011;
      problem.eps_vir = Tensor::from_values<double>({5}, {7.1, partner, -4.3, 0.011, 1.77});
      expect_refused(problem, {"occupied orbitals " + std::to_string(i) + ", " + std::to_string(j), "vanishes"});
    }
  }
}

TEST(Mp2Errors, EnergiesThatAreNotFiniteAreNamed) {
  Mp2Problem problem = random_problem(3, 5, 4);
  problem.eps_vir.at<double>({3}) = std::nan("");
  expect_refused(problem, {"eps_vir[3] is nan"});
  problem = random_problem(3, 5, 4);
  problem.eps_occ.at<double>({1}) = -std::numeric_limits<double>::infinity();
  expect_refused(problem, {"eps_occ[1] is -inf"});
}

TEST(Mp2Errors, ElementsOfBThatAreNotFiniteAreNamed) {
  for (const double bad : {std::nan(""), double{INFINITY}}) {
    Mp2Problem problem = random_problem(3, 5, 4);
    problem.B.at<double>({2, 1, 3}) = bad;
    expect_refused(problem, {"B[2, 1, 3] is", "finite"});
    expect_refused(problem, {"B[2, 1, 3] is", "finite"}, {.n_frozen = 1, .dtype = DType::kFloat32});
    EXPECT_TRUE(std::isfinite(problem.energy({.n_frozen = 3}).correlation_energy)) << "frozen rows are not read";
  }
}

TEST(Mp2Errors, OverflowIsNotBlamedOnTheInput) {
  Mp2Problem problem = random_problem(2, 3, 4);
  problem.B = Tensor::full({2, 3, 4}, 1e30, DType::kFloat64);
  EXPECT_TRUE(std::isfinite(problem.energy().correlation_energy));
  expect_refused(problem, {"leave the range of float32", "float64"}, {.dtype = DType::kFloat32});
}

}  // namespace
}  // namespace trntensor
