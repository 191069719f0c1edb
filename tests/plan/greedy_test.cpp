// The quick search: what it takes first, and networks that break other planners.
#include <gtest/gtest.h>

#include "tests/common/random_spec.hpp"
#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using testing::is_legal;
using testing::plan_of;
using testing::Sizes;

constexpr PathMethod kMethods[] = {PathMethod::kAuto, PathMethod::kGreedy, PathMethod::kOptimal};

TEST(GreedyPath, TakesTheCheapestPairFirst) {
  const Plan plan =
      plan_of("ij,jk,kl->il", {{"i", 100}, {"j", 200}, {"k", 5}, {"l", 50}}, {.method = PathMethod::kGreedy});
  EXPECT_EQ(plan.contraction_path(), (ContractionPath{{0, 1}, {0, 1}}));
  EXPECT_EQ(plan.contents().macs, 100 * 200 * 5 + 100 * 5 * 50);
  EXPECT_EQ(plan.contents().method, "greedy");
}

TEST(GreedyPath, TakesOuterProductsLastAndSmallestFirst) {
  const Plan plan = plan_of("ai,i,bj,j,ck,k->abc", {{"a", 50}, {"b", 3}, {"c", 20}, {"i", 4}, {"j", 5}, {"k", 6}},
                            {.method = PathMethod::kGreedy});
  EXPECT_TRUE(is_legal(plan));
  EXPECT_EQ(plan.contents().macs, 50 * 4 + 3 * 5 + 20 * 6 + 3 * 20 + 50 * 3 * 20);
}

TEST(GreedyPath, MultipliesEqualTensorsFirst) {
  const Plan plan = plan_of("ij,jk,ij->ik", {{"i", 30}, {"j", 20}, {"k", 40}}, {.method = PathMethod::kGreedy});
  EXPECT_EQ(plan.contraction_path().front(), (std::vector<int>{0, 2}));
  EXPECT_EQ(plan.contents().macs, 30 * 20 + 30 * 20 * 40);
}

TEST(GreedyPath, OrdersThousandsOfTensorsOnOneLabel) {
  std::vector<std::vector<std::int64_t>> inputs;
  std::vector<Shape> shapes;
  for (std::int64_t t = 1; t <= 1500; ++t) {
    inputs.push_back({0, t});
    shapes.push_back({2, 3});
  }
  const Plan plan = plan_of(make_spec(inputs, std::vector<std::int64_t>{}, shapes), {.method = PathMethod::kGreedy});
  EXPECT_TRUE(is_legal(plan));
  // Everything but label 0 is summed before, so each product is of two vectors.
  EXPECT_EQ(plan.contents().macs, 1499 * 2);
}

TEST(Paths, AreLegalForRandomSpecs) {
  constexpr std::uint64_t kSeed = 5;
  for (std::uint64_t round = 0; round < 3000; ++round) {
    const testing::RandomSpec random = testing::random_spec(kSeed + round);
    const Spec spec = random.parse();
    for (const PathMethod method : kMethods) {
      const Plan plan = plan_of(spec, {.method = method});
      ASSERT_TRUE(is_legal(plan)) << random;
      ASSERT_EQ(plan.steps().size(), std::max<std::size_t>(spec.inputs.size() - 1, 1)) << random;
    }
  }
}

TEST(Paths, NeverStartWithAnOuterProductWhereAContractionExists) {
  for (const PathMethod method : kMethods) {
    const Plan plan =
        plan_of("mi,na,mnP->iaP", {{"m", 256}, {"n", 256}, {"i", 16}, {"a", 32}, {"P", 256}}, {.method = method});
    EXPECT_EQ(plan.contraction_path(), (ContractionPath{{0, 2}, {0, 1}}));
    EXPECT_EQ(plan.contents().macs, 256.0 * 256 * 256 * 16 + 256.0 * 16 * 256 * 32);  // 3.0e8
    EXPECT_EQ(plan.steps()[0].strategy, Strategy::kMatmul);
    EXPECT_EQ(plan.steps()[0].contracted.size(), 1U);
  }
}

TEST(Paths, ContractChainsFromTheCheapEnd) {
  for (const PathMethod method : kMethods) {
    const Plan plan = plan_of("ij,jk,kl->il", {{"i", 100}, {"j", 200}, {"k", 5}, {"l", 50}}, {.method = method});
    EXPECT_EQ(plan.contents().macs, 1.25e5);
  }
}

// A cap on intermediates that nobody asked for made "optimal" ten times worse.
TEST(UsersFaults, PathsHaveNoHiddenMemoryCap) {
  Sizes sizes;
  for (const char* label : {"a", "b", "c", "d", "e"}) sizes[label] = 25;
  for (const PathMethod method : {PathMethod::kAuto, PathMethod::kOptimal}) {
    const Plan plan = plan_of("ab,ac,bc,ad,bd,ae,ce,de->", sizes, {.method = method});
    EXPECT_LE(plan.contents().macs, 8.45e5);
    EXPECT_EQ(plan.contents().largest_elements, 15625);
  }
}

TEST(UsersFaults, PlansOfNoElementsHaveFiniteStatistics) {
  const Plan plan = plan_of("abc,a,b->c", {{"a", 1}, {"b", 1}, {"c", 0}});
  EXPECT_TRUE(is_legal(plan));
  EXPECT_LE(plan.contents().macs, 1);  // a times b
  for (const std::string& text : {plan.to_table(), plan.to_json()}) {
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
  }
}

TEST(UsersFaults, EqualOperandsAreMultipliedBeforeACubicStep) {
  for (const PathMethod method : kMethods) {
    const Plan plan = plan_of("ij,jk,kl,jk->il", {{"i", 500}, {"j", 500}, {"k", 500}, {"l", 500}}, {.method = method},
                              DType::kFloat32);
    EXPECT_EQ(plan.contents().macs, 2 * 1.25e8 + 2.5e5);  // 2.503e8
    EXPECT_EQ(plan.contents().largest_elements, 2.5e5);
  }
}

TEST(UsersFaults, NoStepOfOneOperandBesideANumber) {
  for (const PathMethod method : kMethods) {
    EXPECT_EQ(plan_of("ab,->ab", {{"a", 2}, {"b", 2}}, {.method = method}).contraction_path(),
              (ContractionPath{{0, 1}}));
  }
}

TEST(UsersFaults, LabelsOfThreeOperandsAreCountedRight) {
  for (const PathMethod method : {PathMethod::kAuto, PathMethod::kOptimal}) {
    const Plan plan = plan_of("bgk,bkd,bk->bgd", {{"b", 64}, {"g", 8}, {"k", 4096}, {"d", 128}}, {.method = method});
    EXPECT_EQ(plan.contraction_path(), (ContractionPath{{0, 2}, {0, 1}}));
    EXPECT_EQ(plan.contents().macs, 64.0 * 8 * 4096 + 64.0 * 8 * 4096 * 128);  // 2.705e8
    EXPECT_EQ(plan.contents().largest_elements, 64.0 * 4096 * 128);            // an operand; the step makes 2.1e6
    EXPECT_EQ(plan.steps()[0].cost.elements, 64.0 * 8 * 4096);
  }
}

}  // namespace
}  // namespace trntensor
