// The reduction of one block of T against the double loop of its definition.
#include "trntensor/quantum/pair_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "hwy/targets.h"
#include "trntensor/support/random.hpp"

namespace trntensor::quantum {
namespace {

template <typename T>
struct Block {
  std::vector<T> values;
  std::vector<double> eps;
  PairBlock<T> block;
};

/// Elements outside the block are NaN, so that reading one shows.
template <typename T>
Block<T> random_block(std::int64_t nvir, std::int64_t row_stride, std::uint64_t seed) {
  Random random(seed);
  Block<T> result;
  result.values.assign(static_cast<std::size_t>(nvir * row_stride), std::numeric_limits<T>::quiet_NaN());
  for (std::int64_t a = 0; a < nvir; ++a) {
    for (std::int64_t b = 0; b < nvir; ++b) {
      result.values[static_cast<std::size_t>(a * row_stride + b)] = static_cast<T>(random.uniform(-1, 1));
    }
    result.eps.push_back(random.uniform(0.1, 3.0));
  }
  result.block = {result.values.data(), row_stride, nvir, -1.25, result.eps.data()};
  return result;
}

template <typename T>
PairEnergy by_definition(const PairBlock<T>& block) {
  PairEnergy sum;
  for (std::int64_t a = 0; a < block.nvir; ++a) {
    for (std::int64_t b = 0; b < block.nvir; ++b) {
      const double t_ab = static_cast<double>(block.data[a * block.row_stride + b]);
      const double t_ba = static_cast<double>(block.data[b * block.row_stride + a]);
      const double denominator = block.e_ij - block.eps_vir[a] - block.eps_vir[b];
      sum.opposite_spin += t_ab * t_ab / denominator;
      sum.same_spin += t_ab * (t_ab - t_ba) / denominator;
    }
  }
  return sum;
}

/// Both ways sum at most nvir^2 terms; those of the opposite spin have one sign and bound those of the same spin.
template <typename T>
void expect_definition(std::int64_t nvir, std::int64_t row_stride) {
  const Block<T> random = random_block<T>(nvir, row_stride, static_cast<std::uint64_t>(nvir));
  const PairEnergy expected = by_definition(random.block);
  const PairEnergy actual = pair_energy(random.block);
  const double tolerance = 4.0 * static_cast<double>(nvir * nvir + 8) * 0x1p-53 * std::abs(expected.opposite_spin);
  EXPECT_NEAR(actual.opposite_spin, expected.opposite_spin, tolerance) << "nvir " << nvir;
  EXPECT_NEAR(actual.same_spin, expected.same_spin, tolerance) << "nvir " << nvir;
}

/// The vector instructions that the functions under test choose from, one set at a time.
class PairEnergyOf : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(PairEnergyOf, TheDoubleLoopForEverySize) {
  for (std::int64_t nvir = 0; nvir <= 70; ++nvir) {
    expect_definition<double>(nvir, nvir);
    expect_definition<float>(nvir, nvir);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, PairEnergyOf, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& instance) { return std::string(hwy::TargetName(instance.param)); });

TEST(PairEnergy, ReadsOnlyTheBlockOfItsPair) {
  for (const std::int64_t nvir : {1, 7, 31, 32, 33, 65}) {
    expect_definition<double>(nvir, 3 * nvir + 1);
    expect_definition<float>(nvir, 3 * nvir + 1);
  }
}

TEST(PairEnergy, SameSpinOfASymmetricBlockIsExactlyZero) {
  const std::int64_t nvir = 37;
  Block<double> random = random_block<double>(nvir, nvir, 3);
  for (std::int64_t a = 0; a < nvir; ++a) {
    for (std::int64_t b = 0; b < a; ++b) {
      random.values[static_cast<std::size_t>(a * nvir + b)] = random.values[static_cast<std::size_t>(b * nvir + a)];
    }
  }
  EXPECT_EQ(pair_energy(random.block).same_spin, 0.0);
}

TEST(PairEnergy, SmallDifferencesOfLargeElementsKeepTheirDigits) {
  // T_ab = 1e4, T_ba = 1e4 + 1e-5: the difference squared over D is -1e-10 / 1.5, which T_ab^2 - T_ab T_ba would lose.
  const std::vector<double> values = {0.0, 1e4, 1e4 + 1e-5, 0.0};
  const std::vector<double> eps = {0.5, 0.5};
  const double difference = values[2] - values[1];
  const PairEnergy energy = pair_energy(PairBlock<double>{values.data(), 2, 2, -0.5, eps.data()});
  EXPECT_DOUBLE_EQ(energy.same_spin, difference * difference / -1.5);
}

TEST(PairEnergy, NotANumberComesThrough) {
  for (const std::int64_t nvir : {3, 33}) {
    for (const std::int64_t at : {std::int64_t{0}, nvir - 1, nvir * nvir - 1}) {
      Block<double> random = random_block<double>(nvir, nvir, 4);
      random.values[static_cast<std::size_t>(at)] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(std::isnan(pair_energy(random.block).opposite_spin)) << nvir << " at " << at;
    }
  }
}

}  // namespace
}  // namespace trntensor::quantum
