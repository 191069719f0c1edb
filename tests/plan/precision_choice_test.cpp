// The choice of a precision for an error: what is chosen, what its bound counts, what is refused.
#include "trntensor/plan/precision_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/plan/support.hpp"
#include "trntensor/plan/error_bound.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::plan_of;

PrecisionChoice choice(DType dtype, std::int64_t terms, double target) {
  return select_precision_for_error(dtype, terms, target);
}

TEST(PrecisionChoice, TakesTheCheapestThatIsEnough) {
  EXPECT_EQ(choice(DType::kFloat32, 100, 1e-5).precision, Precision::kFast);
  EXPECT_EQ(choice(DType::kFloat32, 100, 1e-6).precision, Precision::kKahan);
  EXPECT_EQ(choice(DType::kFloat64, 100, 1e-13).precision, Precision::kFast);
  EXPECT_EQ(choice(DType::kFloat64, 100, 2e-16).precision, Precision::kKahan);
  // So long a sum that its square counts: only dd does not depend on its length.
  EXPECT_EQ(choice(DType::kFloat64, std::int64_t{1} << 30, 1.1103e-16).precision, Precision::kDoubleDouble);
  EXPECT_EQ(choice(DType::kBFloat16, 1000, 0.005).precision, Precision::kFast);
  EXPECT_EQ(choice(DType::kComplex64, 100, 1e-4).precision, Precision::kFast);
}

TEST(PrecisionChoice, ReportsABoundThatIsNotAboveTheTarget) {
  for (const DType dtype :
       {DType::kFloat8E5M2, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex128}) {
    for (const double target : {1.0, 0.26, 1e-2, 1e-3, 1e-6, 1e-15}) {
      if (target < 1.01 * plan::unit_roundoff(dtype)) continue;
      const PrecisionChoice chosen = choice(dtype, 50, target);
      EXPECT_LE(chosen.error_bound, target);
      EXPECT_GE(chosen.error_bound, plan::unit_roundoff(dtype));
    }
  }
}

TEST(PrecisionChoice, WholeNumbersAreExact) {
  EXPECT_EQ(choice(DType::kInt32, 1000, 0).precision, Precision::kFast);
  EXPECT_EQ(choice(DType::kBool, 1000, 0).error_bound, 0);
}

TEST(PrecisionChoice, RefusesWhatTheTypeCannotHold) {
  // The original took both of these for met.
  expect_error(ErrorKind::kInvalidArgument, {"0.003", "bfloat16", "0.00391"},
               [] { choice(DType::kBFloat16, 64, 0.003); });
  expect_error(ErrorKind::kInvalidArgument, {"1e-05", "bfloat16"}, [] { choice(DType::kBFloat16, 64, 1e-5); });
  expect_error(ErrorKind::kInvalidArgument, {"element type", "99"}, [] { choice(static_cast<DType>(99), 5, 1e-5); });
  expect_error(ErrorKind::kInvalidArgument, {"-5 terms"}, [] { choice(DType::kFloat32, -5, 1e-5); });
  expect_error(ErrorKind::kInvalidArgument, {"target_forward_error", "nan"},
               [] { choice(DType::kFloat32, 5, std::nan("")); });
}

// What a refusal prints can be asked for.
TEST(PrecisionChoice, TheLeastBoundThatIsNamedIsKept) {
  for (const DType dtype : {DType::kBFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex64}) {
    try {
      choice(dtype, 1000, 0);
      ADD_FAILURE();
    } catch (const Error& error) {
      const std::string text = error.what();
      const std::string before = "the least bound is ";
      const double named = std::stod(text.substr(text.find(before) + before.size()));
      EXPECT_LE(choice(dtype, 1000, named).error_bound, named) << text;
    }
  }
}

TEST(ErrorBound, GrowsWithTheTermsOfEachStepNotWithTheirProduct) {
  const auto bound = [](const std::string& text, const testing::Sizes& sizes, const PlanOptions& options = {}) {
    return plan_of(text, sizes, options, DType::kFloat32).error_bound();
  };
  const double step = bound("ij,jk->ik", {{"i", 10}, {"j", 100}, {"k", 10}});
  const double path = bound("ij,jk,kl->il", {{"i", 100}, {"j", 100}, {"k", 100}, {"l", 100}});
  EXPECT_GT(path, 1.8 * step);
  EXPECT_LT(path, 2.2 * step);
}

TEST(ErrorBound, OfLongSumsStaysFarBelowTheirLength) {
  const double bound = plan_of("k,k->", {{"k", 1'000'000}}, {}, DType::kFloat32).error_bound();
  EXPECT_LT(bound, 0.02 * 1e6 * 0x1p-23);
  EXPECT_GT(bound, 512 * 0x1p-23);
}

TEST(ErrorBound, CountsTheRoundingOfOperands) {
  const auto bound = [](DType operands, DType compute, DType out) {
    return plan_of(testing::spec_of("i,i->i", {{"i", 3}}), {.dtype = compute, .output_dtype = out}, operands)
        .error_bound();
  };
  const double plain = bound(DType::kFloat32, DType::kFloat32, DType::kFloat32);
  EXPECT_NEAR(bound(DType::kFloat64, DType::kFloat32, DType::kFloat32), plain + 2 * 0x1p-24, 1e-12);
  EXPECT_NEAR(bound(DType::kInt32, DType::kFloat32, DType::kFloat32), plain + 2 * 0x1p-24, 1e-12);
  EXPECT_EQ(bound(DType::kInt16, DType::kFloat32, DType::kFloat32), plain);
  EXPECT_EQ(bound(DType::kFloat16, DType::kFloat32, DType::kFloat32), plain);
  EXPECT_NEAR(bound(DType::kFloat32, DType::kFloat32, DType::kFloat16), plain + 0x1p-11, 1e-9);
}

TEST(ErrorBound, StochasticRoundingMayTakeAWholePlace) {
  const PlanOptions options{.precision = Precision::kStochastic};
  const double bound = plan_of("ij,jk->ik", {{"i", 3}, {"j", 4}, {"k", 5}}, options, DType::kFloat32).error_bound();
  EXPECT_GT(bound, 0x1p-23);
  EXPECT_LT(bound, 0x1p-23 * (1 + 1e-6));
}

TEST(ErrorTarget, PlansSayWhatTheyChoseAndWhy) {
  const Plan plan =
      plan_of("ij,jk->ik", {{"i", 3}, {"j", 400}, {"k", 5}}, {.target_forward_error = 1e-6}, DType::kFloat32);
  EXPECT_EQ(plan.precision(), Precision::kKahan);
  EXPECT_LE(plan.error_bound(), 1e-6);
  const std::string table = plan.to_table();
  EXPECT_NE(table.find("precision kahan"), std::string::npos) << table;
  EXPECT_NE(table.find("at most 5.96e-08 sum |a b|"), std::string::npos) << table;
  EXPECT_NE(table.find("asked for 1e-06"), std::string::npos) << table;
  EXPECT_TRUE(Plan::from_json(plan.to_json()) == plan);
}

TEST(ErrorTarget, OfAPathIsForTheWholeOfIt) {
  const testing::Sizes sizes{{"i", 9}, {"j", 9}, {"k", 9}, {"l", 9}};
  const double fast = plan_of("ij,jk,kl->il", sizes, {}, DType::kFloat32).error_bound();
  const Plan enough = plan_of("ij,jk,kl->il", sizes, {.target_forward_error = fast}, DType::kFloat32);
  EXPECT_EQ(enough.precision(), Precision::kFast);
  const Plan more = plan_of("ij,jk,kl->il", sizes, {.target_forward_error = 0.99 * fast}, DType::kFloat32);
  EXPECT_EQ(more.precision(), Precision::kKahan);
  EXPECT_FALSE(enough == plan_of("ij,jk,kl->il", sizes, {}, DType::kFloat32));
}

}  // namespace
}  // namespace trntensor
