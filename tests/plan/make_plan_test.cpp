// What a plan says of its steps: order of labels, strategy, cost, memory, element types.
#include <gtest/gtest.h>

#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::is_legal;
using testing::NamedExecutor;
using testing::plan_of;
using testing::Sizes;
using testing::spec_of;

const Sizes kSizes{{"i", 2}, {"j", 3}, {"k", 4}, {"l", 5}, {"a", 6}, {"b", 7}, {"p", 8}};

Plan small(const std::string& text, const PlanOptions& options = {}) {
  return plan_of(text, testing::sizes_in(text, kSizes), options);
}

struct StrategyCase {
  const char* text;
  const char* strategy;
  bool trans_a;
  bool trans_b;
};

class Strategies : public ::testing::TestWithParam<StrategyCase> {};

TEST_P(Strategies, FollowFromTheLabels) {
  const StrategyCase& expected = GetParam();
  const Plan plan = small(expected.text);
  EXPECT_EQ(plan.strategy(), expected.strategy);
  EXPECT_EQ(plan.trans_a(), expected.trans_a);
  EXPECT_EQ(plan.trans_b(), expected.trans_b);
}

INSTANTIATE_TEST_SUITE_P(
    Contractions, Strategies,
    ::testing::Values(
        StrategyCase{"ij,jk->ik", "matmul", false, false}, StrategyCase{"ji,jk->ik", "matmul", true, false},
        StrategyCase{"ij,kj->ik", "matmul", false, true}, StrategyCase{"ji,kj->ik", "matmul", true, true},
        // The operands change places so that the result comes out in order.
        StrategyCase{"ij,jk->ki", "matmul", true, true}, StrategyCase{"iap,jbp->ijab", "matmul", false, true},
        StrategyCase{"ijk,jkl->il", "matmul", false, false},
        // The contracted label stands between the others: neither way round.
        StrategyCase{"ijk,jl->ikl", "matmul", false, false}, StrategyCase{"bij,bjk->bik", "bmm", false, false},
        StrategyCase{"bji,bjk->bik", "bmm", true, false}, StrategyCase{"iap,ibp->iab", "bmm", false, true},
        StrategyCase{"ij,j->i", "general", false, false}, StrategyCase{"i,j->ij", "general", false, false},
        StrategyCase{"ij,ij->ij", "general", false, false}, StrategyCase{"ij,ij->", "general", false, false},
        StrategyCase{"bij,bj->bi", "general", false, false}, StrategyCase{"ij,jk->i", "general", false, false},
        StrategyCase{"ij->ji", "unary", false, false}, StrategyCase{"iij->i", "unary", false, false},
        StrategyCase{"i->", "unary", false, false}, StrategyCase{"ij,jk,kl->il", "path", false, false}));

TEST(MakePlan, DescribesTheLabelsOfItsOnlyStep) {
  const Plan plan = small("bij,bjkl->bik");
  EXPECT_EQ(plan.batch_indices(), std::vector<std::string>{"b"});
  EXPECT_EQ(plan.contraction_indices(), std::vector<std::string>{"j"});
  EXPECT_EQ(plan.output_indices(), (std::vector<std::string>{"b", "i", "k"}));
  EXPECT_EQ(plan.steps()[0].presummed.size(), 1U);
  EXPECT_EQ(plan.estimated_flops(), 2 * 7 * 2 * 3 * 4);
  EXPECT_EQ(plan.backend(), "host");
  EXPECT_EQ(plan.steps()[0].reason, "only the host executor is available");
  EXPECT_EQ(plan.contents().method, "trivial");
}

TEST(MakePlan, PathsOfSeveralStepsHaveNoOnlyStep) {
  const Plan plan = small("ij,jk,kl->il");
  EXPECT_TRUE(plan.contraction_indices().empty());
  EXPECT_TRUE(plan.batch_indices().empty());
  EXPECT_TRUE(plan.output_indices().empty());
}

TEST(MakePlan, TakesTheNameOfTheExecutor) {
  const std::vector<DType> dtypes(2, DType::kFloat64);
  const Plan plan = make_plan(spec_of("i,i->", {{"i", 3}}), dtypes, {}, NamedExecutor("virtual"));
  EXPECT_EQ(plan.backend(), "virtual");
  EXPECT_NE(plan.steps()[0].reason.find("virtual"), std::string::npos);
}

TEST(MakePlan, IntermediatesComeInMatrixProductOrder) {
  const Plan plan = small("ijb,bjk,kl->bil", {.path = ContractionPath{{0, 1}, {0, 1}}});
  const PlanStep& step = plan.steps()[0];
  EXPECT_EQ(step.output.size(), 3U);
  EXPECT_EQ(step.output[0], step.batch[0]);
  EXPECT_EQ(plan.steps()[1].inputs[0], step.output);
}

TEST(MakePlan, CountsMultiplyAddsBytesAndElements) {
  const Plan plan = small("ij,jk,kl->il", {.path = ContractionPath{{0, 1}, {0, 1}}});
  EXPECT_EQ(plan.steps()[0].cost, (StepCost{2 * 3 * 4, 8 * (6 + 12 + 8), 8}));
  EXPECT_EQ(plan.steps()[1].cost, (StepCost{2 * 4 * 5, 8 * (8 + 20 + 10), 10}));
  EXPECT_EQ(plan.contents().macs, 64);
  EXPECT_EQ(plan.contents().naive_macs, 2 * 3 * 4 * 5);
  EXPECT_EQ(plan.contents().largest_elements, 20);
  EXPECT_EQ(plan.contents().peak_bytes, 8 * (8 + 10));
}

TEST(MakePlan, CountsBytesOfEachType) {
  const std::vector<DType> dtypes{DType::kInt8, DType::kFloat32};
  const Plan plan = make_plan(spec_of("i,ij->j", {{"i", 10}, {"j", 3}}), dtypes, {}, NamedExecutor());
  EXPECT_EQ(plan.steps()[0].cost.bytes, 10 * 1 + 30 * 4 + 3 * 4);
}

TEST(MakePlan, SumsLabelsOfOneOperandBeforeTheProduct) {
  const Plan plan = plan_of("ij,k->", {{"i", 3000}, {"j", 3000}, {"k", 300}});
  EXPECT_EQ(plan.contents().macs, 1);
  EXPECT_EQ(plan.steps()[0].presummed.size(), 3U);
  EXPECT_EQ(plan.contents().naive_macs, 2.7e9);
}

TEST(MakePlan, LeavesBroadcastAxesOut) {
  const std::vector<Shape> shapes{{4, 5}, {1, 3}, {3, 6}};
  const Plan plan = plan_of(parse_spec("ij,jk,kl->il", shapes));
  EXPECT_TRUE(is_legal(plan));
  // k is contracted first: 3 * 6, then j is summed over the first operand alone, and the outer product remains.
  EXPECT_EQ(plan.contents().macs, 3 * 6 + 4 * 6);
}

TEST(MakePlan, OrdersBranchesForLittleMemory) {
  // Either branch may be taken first; the one with the larger intermediates leaves less behind.
  const Plan plan = plan_of("ai,ij,jb,ck,kl,ld->abcd",
                            {{"a", 2}, {"i", 200}, {"j", 200}, {"b", 2}, {"c", 2}, {"k", 20}, {"l", 20}, {"d", 2}});
  EXPECT_TRUE(is_legal(plan));
  EXPECT_EQ(plan.contents().peak_bytes, 8 * std::max(2 * 200 + 4, 4 + 4 + 16));
}

TEST(MakePlan, NumbersStayFiniteForPlansNobodyWouldRun) {
  const Plan plan = plan_of(testing::read_instance("sycamore_53_20_raw").spec, {.method = PathMethod::kGreedy});
  EXPECT_EQ(plan.contents().naive_macs, 1e300);  // 2^2026
  EXPECT_LT(plan.contents().macs, 1e300);
  EXPECT_LT(plan.contents().peak_bytes, 1e300);
}

TEST(MakePlan, RefusesAWrongNumberOfTypes) {
  const std::vector<DType> one(1, DType::kFloat64);
  expect_error(ErrorKind::kInvalidArgument, {"1 element types for 2 operands"},
               [&] { make_plan(spec_of("i,i->", {{"i", 3}}), one, {}, NamedExecutor()); });
  expect_error(ErrorKind::kInvalidArgument, {"no operands"}, [&] { make_plan(Spec{}, {}, {}, NamedExecutor()); });
}

TEST(EstimateFlops, IsTheProductOfAllExtents) {
  EXPECT_EQ(estimate_flops(spec_of("ij,jk,kl->il", {{"i", 2}, {"j", 3}, {"k", 4}, {"l", 5}})), 120);
  EXPECT_EQ(estimate_flops(spec_of("->", {})), 1);
}

TEST(Plan, EqualityForgetsTimeAndNames) {
  EXPECT_EQ(small("ij,jk,kl->il"), small("ij,jk,kl->il"));
  EXPECT_EQ(plan_of("ij,jk->ik", {{"i", 2}, {"j", 3}, {"k", 4}}), plan_of("xy,yz->xz", {{"x", 2}, {"y", 3}, {"z", 4}}));
  EXPECT_FALSE(small("ij,jk,kl->il") == small("ij,jk,kl->li"));
  EXPECT_FALSE(small("ij,jk->ik") == small("ij,jk->ik", {.precision = Precision::kKahan}));
  EXPECT_FALSE(small("ij,jk->ik") == small("ij,jk->ik", {.dtype = DType::kComplex128}));
}

TEST(PlanNames, AreReadAndWritten) {
  for (const PathMethod method : {PathMethod::kAuto, PathMethod::kGreedy, PathMethod::kOptimal}) {
    EXPECT_EQ(parse_path_method(to_string(method)), method);
  }
  for (const Precision precision :
       {Precision::kFast, Precision::kKahan, Precision::kDoubleDouble, Precision::kStochastic}) {
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
  }
  expect_error(ErrorKind::kInvalidArgument, {"\"best\"", "\"greedy\""}, [] { parse_path_method("best"); });
  expect_error(ErrorKind::kInvalidArgument, {"\"double\"", "\"kahan\""}, [] { parse_precision("double"); });
}

}  // namespace
}  // namespace trntensor
