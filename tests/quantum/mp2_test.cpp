// mp2_energy against the loops of its definition, and the symmetries an exact energy has.
#include "trntensor/quantum/mp2.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/quantum/mp2_oracle.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor {
namespace {

using testing::Mp2Parts;
using testing::Mp2Problem;
using testing::random_problem;
using testing::relative_tolerance;

/// The same-spin part is bounded by the opposite-spin one, which therefore scales both tolerances.
void expect_parts(const Mp2Result& actual, const Mp2Parts& expected, double relative) {
  const double tolerance = relative * std::abs(expected.opposite_spin);
  EXPECT_NEAR(actual.opposite_spin, expected.opposite_spin, tolerance);
  EXPECT_NEAR(actual.same_spin, expected.same_spin, tolerance);
  EXPECT_DOUBLE_EQ(actual.correlation_energy, actual.opposite_spin + actual.same_spin);
}

TEST(Mp2, IsTheSumOfItsDefinition) {
  for (const auto& [nocc, nvir, naux] :
       {std::tuple{1, 1, 1}, {1, 7, 3}, {2, 5, 11}, {5, 19, 30}, {7, 33, 20}, {3, 40, 1}}) {
    const Mp2Problem problem = random_problem(nocc, nvir, naux);
    SCOPED_TRACE(::testing::Message() << "random_problem(" << nocc << ", " << nvir << ", " << naux << ")");
    expect_parts(problem.energy(), testing::oracle_energy(problem), relative_tolerance(naux, 0x1p-53));
  }
}

TEST(Mp2, FrozenOrbitalsAreTheLeadingOnes) {
  const Mp2Problem problem = random_problem(6, 11, 17);
  for (std::int64_t n_frozen = 0; n_frozen <= 6; ++n_frozen) {
    SCOPED_TRACE(n_frozen);
    expect_parts(problem.energy({.n_frozen = n_frozen}), testing::oracle_energy(problem, n_frozen),
                 relative_tolerance(17, 0x1p-53));
  }
}

TEST(Mp2, NoOrbitalsOrNoAuxiliaryFunctionsGiveZero) {
  for (const auto& [nocc, nvir, naux] : {std::tuple{0, 4, 5}, {3, 0, 5}, {3, 4, 0}, {0, 0, 0}}) {
    const Mp2Result result = random_problem(nocc, nvir, naux).energy({.pairs = true});
    EXPECT_EQ(result.correlation_energy, 0.0);
    EXPECT_EQ(result.workspace_bytes, 0);
    EXPECT_EQ(format_shape(result.pair_energies->shape()), format_shape(Shape{nocc, nocc}));
  }
}

TEST(Mp2, Float32ContractsInFloat32AndSumsInFloat64) {
  const Mp2Problem problem = random_problem(5, 21, 40);
  const Mp2Parts expected = testing::oracle_energy(problem);
  const Mp2Result asked = problem.energy({.dtype = DType::kFloat32});
  const Mp2Result given = mp2_energy(problem.B.astype(DType::kFloat32), problem.eps_occ, problem.eps_vir);
  EXPECT_EQ(asked.dtype, DType::kFloat32);
  EXPECT_EQ(given.dtype, DType::kFloat32);
  EXPECT_EQ(asked.correlation_energy, given.correlation_energy);
  expect_parts(asked, expected, relative_tolerance(40, 0x1p-24));
  EXPECT_NE(asked.correlation_energy, problem.energy().correlation_energy) << "the contraction was not in float32";
}

TEST(Mp2, Float64OfFloat32InputIsExactOnIt) {
  Mp2Problem problem = random_problem(4, 9, 15);
  const Tensor narrow = problem.B.astype(DType::kFloat32);
  problem.B = narrow.astype(DType::kFloat64);
  const Mp2Result result = mp2_energy(narrow, problem.eps_occ, problem.eps_vir, {.dtype = DType::kFloat64});
  expect_parts(result, testing::oracle_energy(problem), relative_tolerance(15, 0x1p-53));
}

TEST(Mp2, SixteenBitInputContractsInFloat32) {
  Mp2Problem problem = random_problem(3, 8, 12);
  for (const DType dtype : {DType::kBFloat16, DType::kFloat16}) {
    const Tensor narrow = problem.B.astype(dtype);
    problem.B = narrow.astype(DType::kFloat64);
    const Mp2Result result = mp2_energy(narrow, problem.eps_occ, problem.eps_vir);
    EXPECT_EQ(result.dtype, DType::kFloat32);
    expect_parts(result, testing::oracle_energy(problem), relative_tolerance(12, 0x1p-24));
  }
}

TEST(Mp2, TakesAnyStrides) {
  const Mp2Problem problem = random_problem(4, 9, 15);
  const Mp2Result expected = problem.energy();
  // Both are within the tolerance of the exact energy.
  const auto expect_energy = [&](const Mp2Result& actual) {
    expect_parts(actual, {expected.opposite_spin, expected.same_spin}, 2 * relative_tolerance(15, 0x1p-53));
  };
  // Auxiliary index first, as integral programs keep it.
  const Tensor aux_first = problem.B.permute({2, 0, 1}).clone().permute({1, 2, 0});
  expect_energy(mp2_energy(aux_first, problem.eps_occ, problem.eps_vir));
  // Every axis backwards, in every second element of a larger array; the energies likewise.
  Tensor wide = Tensor::full({8, 9, 30}, std::nan(""), DType::kFloat64);
  const Tensor inside = wide.slice(0, 0, 8, 2).slice(2, 0, 30, 2);
  copy(problem.B.reverse(0).reverse(1).reverse(2), inside.mutable_view());
  const Tensor backwards = inside.reverse(0).reverse(1).reverse(2);
  expect_energy(mp2_energy(backwards, problem.eps_occ, problem.eps_vir));
  expect_energy(mp2_energy(inside, problem.eps_occ.reverse(0), problem.eps_vir.reverse(0)));
}

TEST(Mp2, OrbitalEnergiesMayBeOfAnyRealType) {
  const Mp2Problem problem = random_problem(2, 3, 4);
  const Tensor occupied = Tensor::from_values<std::int32_t>({2}, {-3, -2});
  const Tensor virtuals = Tensor::from_values<float>({3}, {0.5F, 1.0F, 2.5F});
  const double expected =
      mp2_energy(problem.B, occupied.astype(DType::kFloat64), virtuals.astype(DType::kFloat64)).correlation_energy;
  EXPECT_EQ(mp2_energy(problem.B, occupied, virtuals).correlation_energy, expected);
}

TEST(Mp2, ARotationOfTheAuxiliaryBasisChangesNothing) {
  // B Q with orthogonal Q, here a Householder reflection: what another factor of the metric would give.
  const std::int64_t naux = 25;
  const Mp2Problem problem = random_problem(4, 13, naux);
  Random random(9);
  const Tensor v = testing::random_tensor({naux}, random, -1, 1);
  const double norm = einsum("i,i->", {v, v}).item<double>();
  Tensor q = einsum("i,j->ij", {v, v}, {.alpha = -2.0 / norm});
  for (std::int64_t p = 0; p < naux; ++p) q.at<double>({p, p}) += 1.0;
  const Mp2Problem rotated{einsum("iaP,PQ->iaQ", {problem.B, q}), problem.eps_occ, problem.eps_vir};
  const double expected = problem.energy().correlation_energy;
  EXPECT_NEAR(rotated.energy().correlation_energy, expected,
              relative_tolerance(2 * naux, 0x1p-53) * std::abs(expected));
}

TEST(Mp2, OrderOfTheOrbitalsChangesNothing) {
  const Mp2Problem problem = random_problem(5, 12, 10);
  const Mp2Problem reversed{problem.B.reverse(0).reverse(1).reverse(2), problem.eps_occ.reverse(0),
                            problem.eps_vir.reverse(0)};
  const Mp2Result expected = problem.energy();
  expect_parts(reversed.energy(), {expected.opposite_spin, expected.same_spin}, 2 * relative_tolerance(10, 0x1p-53));
}

TEST(Mp2, EnergyScalesWithTheFourthPowerOfB) {
  Mp2Problem problem = random_problem(3, 10, 8);
  const double energy = problem.energy().correlation_energy;
  problem.B = einsum("iaP->iaP", {problem.B}, {.alpha = 2.0});
  EXPECT_EQ(problem.energy().correlation_energy, 16 * energy);  // powers of two are exact
}

TEST(Mp2Pairs, ArePairEnergiesOfTheDefinition) {
  const Mp2Problem problem = random_problem(5, 14, 9);
  const Mp2Result result = problem.energy({.n_frozen = 1, .pairs = true});
  ASSERT_EQ(format_shape(result.pair_energies->shape()), "(4, 4)");
  for (std::int64_t i = 0; i < 4; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) {
      const Mp2Parts expected = testing::oracle_pair(problem, i + 1, j + 1);
      const double tolerance = relative_tolerance(9, 0x1p-53) * std::abs(expected.opposite_spin);
      EXPECT_NEAR(result.pair_opposite_spin->at<double>({i, j}), expected.opposite_spin, tolerance);
      EXPECT_NEAR(result.pair_same_spin->at<double>({i, j}), expected.same_spin, tolerance);
      EXPECT_EQ(result.pair_energies->at<double>({i, j}), result.pair_energies->at<double>({j, i}));
    }
  }
}

// Terms of one sign: additions and scalings cost a unit roundoff each of the whole. The matrix has 35 additions, the
// energy those of the 21 pairs i <= j, and each 3 roundings by a scaling.
TEST(Mp2Pairs, AddUpToTheEnergy) {
  const Mp2Result result = random_problem(6, 10, 9).energy({.scaling = kScsScaling, .pairs = true});
  const auto expect_sum = [](const std::optional<Tensor>& pairs, double energy) {
    EXPECT_NEAR(einsum("ij->", {*pairs}).item<double>(), energy, (35 + 20 + 6) * 0x1p-53 * std::abs(energy));
  };
  expect_sum(result.pair_energies, result.correlation_energy);
  expect_sum(result.pair_opposite_spin, result.opposite_spin);
  expect_sum(result.pair_same_spin, result.same_spin);
}

TEST(Mp2Pairs, AreAbsentUnlessAskedFor) { EXPECT_FALSE(random_problem(2, 3, 4).energy().pair_energies); }

TEST(Mp2Scaling, WeighsThePartsOfTheEnergy) {
  const Mp2Problem problem = random_problem(3, 9, 7);
  const Mp2Result plain = problem.energy();
  EXPECT_EQ(problem.energy({.scaling = kScsScaling}).correlation_energy,
            1.2 * plain.opposite_spin + plain.same_spin * (1.0 / 3.0));
  EXPECT_EQ(problem.energy({.scaling = kSosScaling}).correlation_energy, 1.3 * plain.opposite_spin);
  EXPECT_EQ(problem.energy({.scaling = {0.25, -2.0}}).correlation_energy,
            0.25 * plain.opposite_spin - 2.0 * plain.same_spin);
  EXPECT_EQ(problem.energy({.scaling = kScsScaling}).same_spin, plain.same_spin) << "parts are not scaled";
  EXPECT_EQ(plain.scs_energy(), problem.energy({.scaling = kScsScaling}).correlation_energy);
  EXPECT_EQ(plain.sos_energy(), problem.energy({.scaling = kSosScaling}).correlation_energy);
}

TEST(Mp2, CountsTheMultiplyAddsOfThePairs) {
  EXPECT_EQ(random_problem(5, 4, 3).energy({.n_frozen = 1}).flops, 2.0 * 10 * 4 * 4 * 3);
}

}  // namespace
}  // namespace trntensor
