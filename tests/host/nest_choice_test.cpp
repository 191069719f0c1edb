// What the nest route takes, and the shapes that users of other libraries found slow or wrong.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "trntensor/host/nest_plan.hpp"
#include "trntensor/host/nest_step.hpp"

namespace trntensor::testing {
namespace {

using host::BinaryProblem;

BinaryProblem product(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  StepProblem problem;
  problem.a.axes = {{0, batch, m * k}, {1, m, k}, {3, k, 1}};
  problem.b = OperandLayout{DType::kFloat64, DType::kFloat64, {{0, batch, k * n}, {3, k, n}, {2, n, 1}}};
  problem.out.axes = {{0, batch, m * n}, {1, m, n}, {2, n, 1}};
  return host::classify(problem);
}

TEST(NestDeclines, LeavesLargeProductsToTheGemmEngine) {
  EXPECT_TRUE(host::nest_declines(product(1, 1000, 1000, 1000)));
  EXPECT_TRUE(host::nest_declines(product(1, 64, 5000, 64)));
  EXPECT_TRUE(host::nest_declines(product(100, 64, 64, 64)));
  EXPECT_NE(host::nest_declines(product(1, 64, 64, 64))->find("64 x 64 x 64"), std::string::npos);
}

TEST(NestDeclines, TakesWhatPackingDoesNotPayFor) {
  EXPECT_FALSE(host::nest_declines(product(1, 1000, 1, 1000))) << "matrix times vector";
  EXPECT_FALSE(host::nest_declines(product(1, 1, 1000, 1000))) << "vector times matrix";
  EXPECT_FALSE(host::nest_declines(product(1, 1000, 1000, 1))) << "outer product";
  EXPECT_FALSE(host::nest_declines(product(1, 1, 1, 100000))) << "dot product";
  EXPECT_FALSE(host::nest_declines(product(1000, 1, 1, 1))) << "elementwise";
  EXPECT_FALSE(host::nest_declines(product(1000, 4, 4, 4))) << "small matrices";
  EXPECT_FALSE(host::nest_declines(product(1, 1000, 2, 1000))) << "few columns";
  EXPECT_FALSE(host::nest_declines(product(1, 2, 1000, 1000))) << "few rows";
  EXPECT_TRUE(host::nest_declines(product(1, 1000, 4, 1000))) << "read where it lies";
  BinaryProblem by_columns = product(1, 1000, 4, 1000);
  by_columns.k.back().a = 1000;
  by_columns.m.back().a = 1;
  EXPECT_FALSE(host::nest_declines(by_columns)) << "few columns, and nothing read along the sum";
  EXPECT_FALSE(host::nest_declines(product(0, 100, 100, 100)) && host::nest_declines(product(1, 0, 100, 100)));
}

// ac,abc->cb with extents 2, 2, 2000: vectors must go along c, not along one of the pairs.
TEST(NestPlan, GoesAlongTheLongLoopOfSkinnyBatches) {
  const float a[] = {1, 2, 3, 4, 5, 6};
  std::vector<float> b(12);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i);
  StepProblem problem;
  problem.accumulator = DType::kFloat32;
  problem.a = {DType::kFloat32, DType::kFloat32, {{0, 2, 3}, {2, 3, 1}}};
  problem.b = OperandLayout{DType::kFloat32, DType::kFloat32, {{0, 2, 6}, {1, 2, 3}, {2, 3, 1}}};
  problem.out = {DType::kFloat32, DType::kFloat32, {{2, 3, 2}, {1, 2, 1}}};
  std::vector<float> out(6);
  host::prepare_nest(host::classify(problem))->run(a, b.data(), out.data(), {}, {});
  EXPECT_EQ(out, (std::vector<float>{24, 39, 37, 58, 54, 81}));

  StepProblem large = problem;
  large.a.axes = {{0, 2, 2000}, {2, 2000, 1}};
  large.b->axes = {{0, 2, 4000}, {1, 2, 2000}, {2, 2000, 1}};
  large.out.axes = {{2, 2000, 2}, {1, 2, 1}};
  host::NestProblem nest = host::nest_problem(host::classify(large));
  host::normalise(nest);
  const host::NestPlan plan = host::plan_nest(nest, host::vector_table().float32);
  EXPECT_EQ(plan.form, host::NestForm::kAcross);
  EXPECT_EQ(plan.vector.extent, 2000);
}

// The plan decides the order of additions, so it may depend on nothing but the problem; and tiles must fit.
TEST(NestPlan, KeepsTilesWithinTheCaches) {
  for (const BinaryProblem& problem : {product(1, 4096, 1, 4096), product(7, 3, 1000, 5), product(50000, 3, 3, 3),
                                       product(1, 4096, 4096, 1), product(1, 8, 2000, 500)}) {
    host::NestProblem nest = host::nest_problem(problem);
    host::normalise(nest);
    const host::NestPlan plan = host::plan_nest(nest, host::vector_table().float64);
    EXPECT_LE(plan.tile_sums() * 8, 64 << 10);
    EXPECT_GE(plan.units * plan.tiles(), 1);
  }
}

}  // namespace
}  // namespace trntensor::testing
