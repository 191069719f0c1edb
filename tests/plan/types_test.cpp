// The element types of a plan: promotion, casts, accumulators, precision.
#include <gtest/gtest.h>

#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::NamedExecutor;

Plan plan_with(const std::vector<DType>& dtypes, const PlanOptions& options = {}) {
  std::string text;
  for (std::size_t k = 0; k < dtypes.size(); ++k) text += k == 0 ? "i" : ",i";
  return make_plan(testing::spec_of(text + "->i", {{"i", 3}}), dtypes, options, NamedExecutor());
}

TEST(PlanTypes, OperandsPromote) {
  const Plan plan = plan_with({DType::kBFloat16, DType::kFloat16, DType::kInt8});
  EXPECT_EQ(plan.contents().compute_dtype, DType::kFloat32);
  EXPECT_EQ(plan.contents().output_dtype, DType::kFloat32);
  EXPECT_EQ(plan_with({DType::kFloat32, DType::kComplex128}).contents().compute_dtype, DType::kComplex128);
  EXPECT_EQ(plan_with({DType::kBool}).contents().compute_dtype, DType::kBool);
}

TEST(PlanTypes, IntermediatesAreHeldInTheAccumulatorType) {
  const Plan plan = plan_with({DType::kBFloat16, DType::kBFloat16, DType::kBFloat16});
  EXPECT_EQ(plan.contents().compute_dtype, DType::kBFloat16);
  EXPECT_EQ(plan.contents().accumulator_dtype, DType::kFloat32);
  EXPECT_EQ(plan.steps()[0].dtype, DType::kFloat32);
  EXPECT_EQ(plan.steps()[1].dtype, DType::kBFloat16);
}

class WidePrecision : public ::testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(PlanTypes, WidePrecision,
                         ::testing::Values(Precision::kKahan, Precision::kDoubleDouble, Precision::kStochastic));

TEST_P(WidePrecision, WidensFloatsAndLeavesIntegers) {
  const auto accumulator = [](DType dtype) {
    return plan_with({dtype}, {.precision = GetParam()}).contents().accumulator_dtype;
  };
  for (const DType dtype : {DType::kFloat8E4M3, DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kFloat16,
                            DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    EXPECT_EQ(accumulator(dtype), DType::kFloat64) << to_string(dtype);
  }
  EXPECT_EQ(accumulator(DType::kComplex64), DType::kComplex128);
  EXPECT_EQ(accumulator(DType::kComplex128), DType::kComplex128);
  EXPECT_EQ(accumulator(DType::kInt8), DType::kInt8);
  EXPECT_EQ(accumulator(DType::kBool), DType::kBool);
}

TEST(PlanTypes, SumsAreCompensatedByPrecisionAndType) {
  const auto compensated = [](DType dtype, Precision precision) {
    return plan_with({dtype}, {.precision = precision}).contents().compensated();
  };
  for (const DType dtype : {DType::kFloat64, DType::kComplex128, DType::kFloat32, DType::kComplex64, DType::kInt8}) {
    const bool is_whole = dtype == DType::kInt8;
    const bool is_double = size_of(real_type(dtype)) == 8;
    EXPECT_EQ(compensated(dtype, Precision::kFast), 0) << to_string(dtype);
    EXPECT_EQ(compensated(dtype, Precision::kKahan), is_double ? 1 : 0) << to_string(dtype);
    EXPECT_EQ(compensated(dtype, Precision::kDoubleDouble), is_whole ? 0 : 2) << to_string(dtype);
    EXPECT_EQ(compensated(dtype, Precision::kStochastic), is_double ? 2 : 0) << to_string(dtype);
  }
}

TEST(PlanTypes, DtypeNarrowsWithinItsKind) {
  const Plan plan = plan_with({DType::kFloat64, DType::kInt32}, {.dtype = DType::kBFloat16});
  EXPECT_EQ(plan.contents().compute_dtype, DType::kBFloat16);
  EXPECT_EQ(plan.contents().output_dtype, DType::kBFloat16);
  EXPECT_EQ(plan_with({DType::kFloat32}, {.output_dtype = DType::kFloat16}).contents().output_dtype, DType::kFloat16);
}

TEST(PlanTypes, CastsToALowerKindNameOperandAndTypes) {
  expect_error(ErrorKind::kInvalidArgument, {"operand 1", "complex64", "float32"},
               [] { plan_with({DType::kFloat32, DType::kComplex64}, {.dtype = DType::kFloat32}); });
  expect_error(ErrorKind::kInvalidArgument, {"operand 0", "float64", "int64"},
               [] { plan_with({DType::kFloat64}, {.dtype = DType::kInt64}); });
  expect_error(ErrorKind::kInvalidArgument, {"result", "float64", "int32"},
               [] { plan_with({DType::kFloat64}, {.output_dtype = DType::kInt32}); });
}

}  // namespace
}  // namespace trntensor
