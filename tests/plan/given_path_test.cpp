// Paths the caller gives: kept as they are, or refused with the entry that is wrong.
#include <gtest/gtest.h>

#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::is_legal;
using testing::plan_of;
using testing::Sizes;

const Sizes kSizes{{"i", 4}, {"j", 5}, {"k", 6}, {"l", 7}, {"m", 3}};

Plan given(const std::string& text, const ContractionPath& path) {
  return plan_of(text, testing::sizes_in(text, kSizes), {.path = path});
}

TEST(GivenPath, IsKept) {
  for (const ContractionPath& path : {ContractionPath{{0, 1}, {0, 1}}, {{1, 2}, {0, 1}}, {{0, 2}, {0, 1}}}) {
    const Plan plan = given("ij,jk,kl->il", path);
    EXPECT_EQ(plan.contraction_path(), path);
    EXPECT_EQ(plan.contents().method, "given");
    EXPECT_TRUE(is_legal(plan));
  }
}

TEST(GivenPath, MayNamePositionsInAnyOrder) {
  EXPECT_EQ(given("ij,jk,kl->il", {{2, 1}, {1, 0}}).contraction_path(), (ContractionPath{{1, 2}, {0, 1}}));
}

TEST(GivenPath, MayStartWithAnOuterProduct) {
  const Plan plan = given("ij,jk,kl->il", {{0, 2}, {0, 1}});
  EXPECT_EQ(plan.steps()[0].strategy, Strategy::kGeneral);
  EXPECT_EQ(plan.steps()[0].cost.macs, 4 * 5 * 6 * 7);
}

TEST(GivenPath, EntriesOfSeveralOperandsAreOrderedGreedily) {
  const Plan plan = given("ij,jk,kl,lm->im", {{0, 1, 3}, {0, 1}});
  EXPECT_TRUE(is_legal(plan));
  EXPECT_EQ(plan.steps().size(), 3U);
  EXPECT_EQ(plan.contraction_path().front(), (std::vector<int>{0, 1}));
  const Plan all = given("ij,jk,kl,lm->im", {{0, 1, 2, 3}});
  EXPECT_TRUE(is_legal(all));
  EXPECT_EQ(all.contents().macs, plan_of("ij,jk,kl,lm->im", kSizes, {.method = PathMethod::kGreedy}).contents().macs);
}

TEST(GivenPath, OfOneOperandIsOneStepOrNone) {
  for (const ContractionPath& path : {ContractionPath{}, {{0}}}) {
    EXPECT_EQ(given("ij->ji", path).steps().size(), 1U);
  }
  expect_error(ErrorKind::kInvalidArgument, {"one operand"}, [] { given("ij->ji", {{0}, {0}}); });
  expect_error(ErrorKind::kInvalidArgument, {"one operand"}, [] { given("ij->ji", {{1}}); });
}

TEST(GivenPath, FaultsNameTheEntry) {
  const std::string text = "ij,jk,kl->il";
  const auto refuse = [&](const ContractionPath& path, const std::vector<std::string>& fragments) {
    expect_error(ErrorKind::kInvalidArgument, fragments, [&] { given(text, path); });
  };
  refuse({{0, 3}, {0, 1}}, {"entry 0", "(0, 3)", "position 3 of 3"});
  refuse({{0, 1}, {0, 2}}, {"entry 1", "(0, 2)", "position 2 of 2"});
  refuse({{0, -1}, {0, 1}}, {"entry 0", "position -1"});
  refuse({{1, 1}, {0, 1}}, {"entry 0", "position 1 twice"});
  refuse({{0}, {0, 1}, {0, 1}}, {"entry 0", "less than two"});
  refuse({{}, {0, 1}}, {"entry 0", "less than two"});
  refuse({{0, 1}}, {"leaves 2 tensors"});
  refuse({}, {"leaves 3 tensors"});
  refuse({{0, 1}, {0, 1}, {0, 1}}, {"entry 2", "of 1 tensors"});
}

}  // namespace
}  // namespace trntensor
