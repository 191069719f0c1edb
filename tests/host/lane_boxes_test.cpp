// Problems cut into boxes: every product is there once, and boxes are what they say.
#include "trntensor/host/lane_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "trntensor/host/block_index.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::host {
namespace {

using Places = std::vector<std::array<std::int64_t, 3>>;

/// The places in a, b and out of every pair of a row and a column.
Places places_of(const BoxedPart& part) {
  Places places;
  for (std::int64_t i = 0; i < part.problem.m_size; ++i) {
    for (std::int64_t j = 0; j < part.problem.n_size; ++j) {
      places.push_back(
          {part.a + offset_of(part.problem.m, &GroupAxis::a, i), part.b + offset_of(part.problem.n, &GroupAxis::b, j),
           part.out + offset_of(part.problem.m, &GroupAxis::out, i) + offset_of(part.problem.n, &GroupAxis::out, j)});
    }
  }
  return places;
}

void expect_boxes(const Group& group, OperandStride operand, const LaneBox& box) {
  ASSERT_EQ(size_of(group) % box.lanes(), 0);
  for (std::int64_t lane = 0; lane < size_of(group); ++lane) {
    const std::int64_t across = lane % box.lanes() / box.along;
    EXPECT_EQ(offset_of(group, operand, lane), offset_of(group, operand, lane - across * box.along) + across);
  }
}

/// Columns (x, y) and rows (u, v); `across`: the outer of both has stride 1 in its operand, else the inner one.
BinaryProblem make_problem(std::int64_t x, std::int64_t y, std::int64_t u, std::int64_t v, std::int64_t k,
                           bool across) {
  BinaryProblem problem;
  problem.n.push_back({x, 0, across ? 1 : y, y * u * v});
  problem.n.push_back({y, 0, across ? x * k : 1, 1});
  problem.m.push_back({u, across ? 1 : v, 0, y * v});
  problem.m.push_back({v, across ? u * k : 1, 0, y});
  problem.k.push_back({k, across ? u : u * v, across ? x : x * y, 0});
  problem.n_size = x * y;
  problem.m_size = u * v;
  problem.k_size = k;
  return problem;
}

TEST(LaneBoxes, HoldEveryProductOnce) {
  const GemmKernel& kernel = choose_gemm_kernel(DType::kFloat64, 0);
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const BinaryProblem problem = make_problem(random.integer(2, 30), random.integer(2, 60), random.integer(2, 20),
                                               random.integer(2, 30), 20000, true);
    Places places;
    const std::vector<BoxedPart> parts = cut_into_boxes(problem, kernel);
    EXPECT_LE(parts.size(), 16U);
    for (const BoxedPart& part : parts) {
      const Places more = places_of(part);
      places.insert(places.end(), more.begin(), more.end());
      expect_boxes(part.problem.n, &GroupAxis::b, part.columns);
      expect_boxes(part.problem.m, &GroupAxis::a, part.rows);
      EXPECT_LE(part.columns.across, kMostAcross);
      EXPECT_LE(part.columns.lanes(), std::max<std::int64_t>(lanes_near(kernel, 20000), 8 * kernel.functions.nr));
    }
    BoxedPart whole;
    whole.problem = problem;
    Places expected = places_of(whole);
    std::sort(places.begin(), places.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(places, expected);
  }
}

TEST(LaneBoxes, AreCutOnlyWhereLinesWouldBeWasted) {
  const GemmKernel& kernel = choose_gemm_kernel(DType::kFloat64, 0);
  EXPECT_GT(cut_into_boxes(make_problem(16, 48, 16, 16, 5000, true), kernel).front().columns.across, 1);
  EXPECT_GT(cut_into_boxes(make_problem(16, 48, 16, 16, 5000, true), kernel).front().rows.across, 1);
  EXPECT_EQ(cut_into_boxes(make_problem(16, 48, 16, 16, 5000, false), kernel).front().columns.across, 1);
  EXPECT_EQ(cut_into_boxes(make_problem(16, 48, 16, 16, 2, true), kernel).front().columns.across, 1);  // small
  BinaryProblem by_terms = make_problem(16, 48, 16, 16, 5000, true);
  by_terms.k.back().b = 1;
  by_terms.n.front().b = 5000;
  EXPECT_EQ(cut_into_boxes(by_terms, kernel).front().columns.across, 1);
}

}  // namespace
}  // namespace trntensor::host
