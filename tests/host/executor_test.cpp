// The host executor: every route gives the same answer, and says what it refuses.
#include "trntensor/host/executor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/host/step_types.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::testing {
namespace {

using ::testing::HasSubstr;

/// The message of the Error that `action` throws, after checking its kind.
template <typename Action>
std::string message_of(ErrorKind kind, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

/// Up to 6 labels of any kind, at most `points` points.
std::vector<StepLabel> random_labels(Random& random, std::int64_t points) {
  std::vector<StepLabel> labels;
  for (std::int64_t count = random.integer(0, 6); count > 0; --count) {
    constexpr std::int64_t kExtents[] = {1, 2, 3, 4, 5, 8, 13, 25, 50};
    std::int64_t extent = random.integer(0, 60) == 0 ? 0 : kExtents[random.integer(0, 8)];
    if (extent > points) extent = 1;
    points /= std::max<std::int64_t>(1, extent);
    labels.push_back({static_cast<LabelKind>(random.integer(0, 6)), extent});
  }
  return labels;
}

class HostRoutes : public ::testing::TestWithParam<NamedTypes> {};

TEST_P(HostRoutes, AllMatchTheLoops) {
  const host::HostExecutor routes[] = {host::HostExecutor(), host::HostExecutor({.route = "nest", .kernel = {}}),
                                       host::HostExecutor({.route = "gemm", .kernel = {}})};
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    Random random(seed);
    RandomStep step = make_step(random_labels(random, 4000), GetParam().types, MemoryKind::kAny, random);
    step.scale = random_scale(step.problem.accumulator, random);
    for (const host::HostExecutor& executor : routes) {
      RandomStep same = step;
      ASSERT_TRUE(run_and_match(*executor.prepare(step.problem), same)) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, HostRoutes, ::testing::ValuesIn(all_step_types()),
                         [](const auto& test) { return test.param.name; });

/// "ik,kj->ij" in float64, 40 x 50 x 60.
StepProblem matrix_product() {
  StepProblem problem;
  problem.a.axes = {{0, 40, 60}, {2, 60, 1}};
  problem.b = OperandLayout{DType::kFloat64, DType::kFloat64, {{2, 60, 50}, {1, 50, 1}}};
  problem.out.axes = {{0, 40, 50}, {1, 50, 1}};
  return problem;
}

/// The message with which a route refuses a step.
std::string refusal(const std::string& route, const StepProblem& problem) {
  return message_of(ErrorKind::kUnsupported,
                    [&] { static_cast<void>(host::HostExecutor({.route = route, .kernel = {}}).prepare(problem)); });
}

TEST(HostExecutor, SaysWhatItRuns) {
  EXPECT_EQ(host::HostExecutor().name(), "host");
  const auto gemm = host::HostExecutor({.route = "gemm", .kernel = "generic"}).prepare(matrix_product());
  EXPECT_EQ(gemm->describe(), "gemm gemm_f64_generic_4x8, m=40, n=50, k=60");
  StepProblem sum = matrix_product();
  sum.a.axes.push_back({3, 5, 2400});
  EXPECT_THAT(host::HostExecutor({.route = "gemm", .kernel = {}}).prepare(sum)->describe(), HasSubstr("sum a first"));
}

TEST(HostExecutor, RefusesRoutesAndKernelsItDoesNotHave) {
  EXPECT_THAT(message_of(ErrorKind::kInvalidArgument, [] { host::HostExecutor({.route = "loops", .kernel = {}}); }),
              HasSubstr("\"loops\" is no route"));
  EXPECT_THAT(message_of(ErrorKind::kInvalidArgument, [] { host::HostExecutor({.route = {}, .kernel = "mmx"}); }),
              ::testing::AllOf(HasSubstr("\"mmx\""), HasSubstr("generic")));
}

TEST(HostExecutor, RefusesSumsInNarrowFloats) {
  StepProblem problem = matrix_product();
  problem.accumulator = DType::kFloat16;
  for (const char* route : {"nest", "gemm"}) EXPECT_THAT(refusal(route, problem), HasSubstr("float16"));
}

TEST(HostExecutor, RefusesToCompensateOtherSums) {
  StepProblem problem = matrix_product();
  problem.accumulator = DType::kFloat32;
  problem.compensated = true;
  for (const char* route : {"nest", "gemm"}) EXPECT_THAT(refusal(route, problem), HasSubstr("float32"));
}

TEST(HostExecutor, NamesTheRouteThatDoesNotTakeAStep) {
  StepProblem one = matrix_product();
  one.b.reset();
  EXPECT_THAT(refusal("gemm", one), HasSubstr("gemm"));
  EXPECT_THAT(refusal("unary", matrix_product()), HasSubstr("unary"));
}

/// a . b whose terms cancel to far below one rounding of the largest: exact value 1 + 3 * 2^-40.
TEST(HostExecutor, CompensatedSumsSurviveCancellation) {
  const std::vector<double> x{0x1p60, 1.0, -0x1p60, 0x1p-20};
  const std::vector<double> y{0x1p10, 1.0, 0x1p10, 3 * 0x1p-20};
  for (const char* route : {"nest", "gemm"}) {
    for (const std::string& kernel : host_kernel_names()) {
      StepProblem dot;
      dot.a.axes = {{0, 4, 1}};
      dot.b = OperandLayout{DType::kFloat64, DType::kFloat64, {{0, 4, 1}}};
      dot.compensated = true;
      double result = -1;
      host::HostExecutor({.route = route, .kernel = kernel})
          .prepare(dot)
          ->run(x.data(), y.data(), &result, Scale{}, RunContext{});
      EXPECT_EQ(result, 1 + 3 * 0x1p-40) << route << ' ' << kernel;
      Scale minus_one;
      minus_one.beta = -1.0;
      result = 1.0;
      host::HostExecutor({.route = route, .kernel = kernel})
          .prepare(dot)
          ->run(x.data(), y.data(), &result, minus_one, RunContext{});
      EXPECT_EQ(result, 3 * 0x1p-40) << route << ' ' << kernel;
    }
  }
}

}  // namespace
}  // namespace trntensor::testing
