// Published networks: the recorded optima are met, and the quick search is as good as others' and fast.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using testing::Instance;
using testing::is_legal;
using testing::plan_of;
using testing::read_instance;

double log10_macs(const Plan& plan) { return std::log10(plan.contents().macs); }

class OptimalInstances : public ::testing::TestWithParam<const char*> {};

// Records are rounded to four decimals: half a unit of the last, and the error of a logarithm.
constexpr double kRecordRounding = 5.1e-5;

// Ours may be better where the record is not of an exact search.
TEST_P(OptimalInstances, MeetTheRecordedOptimum) {
  const Instance instance = read_instance(GetParam());
  const Plan plan = plan_of(instance.spec, {.method = PathMethod::kOptimal});
  EXPECT_EQ(plan.contents().method, "optimal");
  EXPECT_TRUE(is_legal(plan));
  ASSERT_GT(instance.optimum_log10_macs, 0);
  EXPECT_LE(log10_macs(plan), instance.optimum_log10_macs + kRecordRounding);
  if (instance.spec.inputs.size() <= 14) {
    EXPECT_LE(log10_macs(plan), instance.best_log10_macs + kRecordRounding);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, OptimalInstances,
                         ::testing::Values("oe_dmrg6", "oe_ladder6", "netcon_mera1d_3to1", "netcon_mera2d_9to1",
                                           "lm_batch_likelihood_sentence_3_12d", "str_matrix_chain_multiplication_100",
                                           "mps_mpo_L100_chi64_D5", "str_mps_varying_inner_product_200"));

TEST(Instances, OptimalOf27TensorsBeatsThePolynomialForLargeExtents) {
  const Plan plan = plan_of(read_instance("netcon_mera2d_4to1").spec, {.method = PathMethod::kOptimal});
  EXPECT_LE(log10_macs(plan), 8.560);
}

class QuickInstances : public ::testing::TestWithParam<const char*> {};

TEST_P(QuickInstances, AreAsGoodAsOthersGreedySearches) {
  const Instance instance = read_instance(GetParam());
  for (const PathMethod method : {PathMethod::kGreedy, PathMethod::kAuto}) {
    const Plan plan = plan_of(instance.spec, {.method = method});
    EXPECT_TRUE(is_legal(plan));
    if (instance.greedy_log10_macs > 0) {
      EXPECT_LE(log10_macs(plan), instance.greedy_log10_macs + 0.3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, QuickInstances,
                         ::testing::Values("oe_dmrg6", "oe_ladder6", "netcon_mera1d_3to1", "netcon_mera2d_9to1",
                                           "netcon_mera2d_4to1", "lm_batch_likelihood_sentence_3_12d", "rand_50_5_a",
                                           "lm_batch_likelihood_brackets_4_4d", "rtree_100_a",
                                           "str_matrix_chain_multiplication_100", "str_nw_mera_closed_120",
                                           "mps_mpo_L100_chi64_D5", "str_mps_varying_inner_product_200",
                                           "sycamore_n53_m20_s0_e0_pABCDCDAB", "surfacecode_d9", "qc_qft_27",
                                           "is_rg3_200", "dbn_13", "qucirc_rrzz_n56_d13", "sycamore_53_20_raw"));

// Generous enough for unoptimised builds on busy machines; the search takes a tenth of it.
TEST(Instances, ThousandsOfTensorsAreOrderedInSeconds) {
  const Instance instance = read_instance("sycamore_53_20_raw");
  ASSERT_EQ(instance.spec.inputs.size(), 3369U);
  const auto start = std::chrono::steady_clock::now();
  const Plan plan = plan_of(instance.spec, {.method = PathMethod::kGreedy});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 30);
  EXPECT_EQ(plan.steps().size(), 3368U);
}

}  // namespace
}  // namespace trntensor
