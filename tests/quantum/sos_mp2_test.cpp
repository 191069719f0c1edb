// Scaled opposite-spin energies beside the opposite-spin part of MP2 and the definition.
#include "trntensor/quantum/sos_mp2.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/quantum/mp2_oracle.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::Mp2Problem;
using testing::random_problem;

double sos(const Mp2Problem& problem, const SosMp2Options& options = {}) {
  return sos_mp2_energy(problem.B, problem.eps_occ, problem.eps_vir, options);
}

TEST(SosMp2, IsTheScaledOppositeSpinPart) {
  for (const std::int64_t frozen : {0, 2}) {
    const Mp2Problem problem = random_problem(6, 9, 20);
    const double exact = 1.3 * testing::oracle_energy(problem, frozen).opposite_spin;
    const double tolerance = testing::relative_tolerance(20, 0x1p-53) * std::abs(exact);
    EXPECT_NEAR(sos(problem, {.n_frozen = frozen}), exact, tolerance);
    EXPECT_NEAR(problem.energy({.n_frozen = frozen}).sos_energy(), exact, tolerance);
    EXPECT_NEAR(sos(problem, {.n_frozen = frozen, .scaling = -2.0}), -2.0 / 1.3 * exact, 2 * tolerance);
    EXPECT_NEAR(sos(problem, {.n_frozen = frozen, .dtype = DType::kFloat32}), exact,
                testing::relative_tolerance(20, 0x1p-24) * std::abs(exact));
  }
}

TEST(SosMp2, NeedsLessMemoryThanAPair) {
  const Mp2Problem problem = random_problem(5, 40, 12);
  constexpr std::int64_t kPairBytes = 40 * 40 * 8;
  const double expected = problem.energy().sos_energy();
  EXPECT_NEAR(sos(problem, {.memory_limit = kPairBytes / 2, .num_threads = 2}), expected,
              2 * testing::relative_tolerance(12, 0x1p-53) * std::abs(expected));
  expect_error(ErrorKind::kOutOfMemory, {"at least 16 bytes"}, [&] { sos(problem, {.memory_limit = 15}); });
}

TEST(SosMp2, NothingGivesZero) {
  EXPECT_EQ(sos(random_problem(3, 0, 4)), 0);
  EXPECT_EQ(sos(random_problem(3, 4, 0)), 0);
  EXPECT_EQ(sos(random_problem(3, 4, 2), {.n_frozen = 3}), 0);
}

TEST(SosMp2, AScalingThatIsNotFiniteIsNamed) {
  const Mp2Problem problem = random_problem(3, 5, 4);
  for (const double bad : {std::nan(""), double{INFINITY}}) {
    expect_error(ErrorKind::kInvalidArgument, {"scaling is", "finite"}, [&] { sos(problem, {.scaling = bad}); });
    expect_error(ErrorKind::kInvalidArgument, {"scaling is"}, [&] { sos(problem, {.n_frozen = 3, .scaling = bad}); });
  }
}

TEST(SosMp2, MisuseIsNamed) {
  Mp2Problem problem = random_problem(3, 5, 4);
  problem.B.at<double>({2, 1, 3}) = std::nan("");
  expect_error(ErrorKind::kInvalidArgument, {"B[2, 1, 3] is nan"}, [&] { sos(problem); });
  expect_error(ErrorKind::kInvalidArgument, {"n_frozen = 4"}, [&] { sos(problem, {.n_frozen = 4}); });
  expect_error(ErrorKind::kUnsupported, {"sos_mp2_energy does not contract in int64"},
               [&] { sos(problem, {.dtype = DType::kInt64}); });
  expect_error(ErrorKind::kInvalidArgument, {"B is complex64, sos_mp2_energy is for real orbitals"},
               [&] { sos_mp2_energy(problem.B.astype(DType::kComplex64), problem.eps_occ, problem.eps_vir); });
  problem.eps_vir = problem.eps_occ;
  expect_error(ErrorKind::kInvalidArgument, {"eps_vir has 3 energies"}, [&] { sos(problem); });
}

}  // namespace
}  // namespace trntensor
