// Long sums: accuracy, determinism, special values, cancellation.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/host/step_random.hpp"
#include "tests/host/sum_problems.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/nest_step.hpp"
#include "trntensor/host/unary_step.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Values whose plain running sum in float32 loses most of its digits.
std::vector<float> awkward_values(std::int64_t count, bool constant) {
  Random random(3);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = constant ? 0.1F : static_cast<float>(random.uniform(0, 1));
  return values;
}

class LongSums : public ::testing::TestWithParam<std::string> {};

// The documented bound, and what makes it a good sum: 1e-6, where one term after another gives 1e-2 to 1e-4 on these
// values.
void expect_close(double computed, double exact, std::int64_t k) {
  EXPECT_LE(std::abs(computed - exact), stated_bound<float>(LongSums::GetParam(), k) * exact);
  EXPECT_LE(std::abs(computed - exact), 1e-6 * exact);
}

TEST_P(LongSums, OfFloat32AreAccurateAlongAndAcrossRows) {
  for (const bool constant : {true, false}) {
    for (const std::int64_t width : {1, 2, 3, 5, 8, 9, 40}) {
      const std::int64_t height = 1'000'003 / width;
      const std::vector<float> a = awkward_values(height * width, constant);
      std::vector<double> exact(static_cast<std::size_t>(width));
      for (std::size_t i = 0; i < a.size(); ++i) exact[i % exact.size()] += a[i];
      std::vector<float> out(exact.size());
      const OperandLayout across = packed(DType::kFloat32, {{0, height}, {1, width}});
      const auto prepared =
          host::prepare_unary(sum_problem(DType::kFloat32, across, packed(DType::kFloat32, {{1, width}})), GetParam());
      prepared->run(a.data(), nullptr, out.data(), {}, {2, {}});
      for (std::size_t j = 0; j < out.size(); ++j) {
        SCOPED_TRACE(prepared->describe() + ", column " + std::to_string(j) + " of " + std::to_string(width));
        expect_close(out[j], exact[j], height);
      }
    }
  }
}

// The first term swallows each that follows it in its leaf: the worst case of the bound.
TEST_P(LongSums, OfShortRowsBehindALargeTermKeepTheBound) {
  constexpr std::int64_t kTerms = 512;
  for (const std::int64_t width : {1, 2, 3, 5, 7, 8, 9}) {
    std::vector<float> a(static_cast<std::size_t>(kTerms * width), 1.0F);
    for (std::int64_t j = 0; j < width; ++j) a[static_cast<std::size_t>(j)] = 0x1p24F;
    const std::vector<float> ones(static_cast<std::size_t>(kTerms), 1.0F);
    const double exact = 0x1p24 + kTerms - 1;
    const double bound = stated_bound<float>(GetParam(), kTerms) * exact;
    const OperandLayout matrix = packed(DType::kFloat32, {{0, kTerms}, {1, width}});
    const StepProblem problem{matrix, packed(DType::kFloat32, {{0, kTerms}}), packed(DType::kFloat32, {{1, width}}),
                              DType::kFloat32, false};
    const auto prepared = host::prepare_nest(host::classify(problem), GetParam());
    std::vector<float> out(static_cast<std::size_t>(width));
    prepared->run(a.data(), ones.data(), out.data(), {}, {});
    for (const float value : out) EXPECT_NEAR(value, exact, bound) << prepared->describe();
  }
}

TEST_P(LongSums, OfFloat32ProductsAreAccurate) {
  const std::int64_t n = 1'000'003;
  const std::vector<float> a = awkward_values(n, false);
  const std::vector<float> b = awkward_values(n, true);
  double exact = 0;
  for (std::size_t i = 0; i < a.size(); ++i) exact += static_cast<double>(a[i]) * b[i];
  StepProblem dot{packed(DType::kFloat32, {{0, n}}), packed(DType::kFloat32, {{0, n}}), packed(DType::kFloat32, {}),
                  DType::kFloat32, false};
  float out = 0;
  host::prepare_nest(host::classify(dot), GetParam())->run(a.data(), b.data(), &out, {}, {2, {}});
  expect_close(out, exact, n);
}

TEST_P(LongSums, OfMatrixTimesVectorAreAccurateInBothLayouts) {
  const std::int64_t n = 200'003;
  const std::int64_t m = 5;
  const std::vector<float> a = awkward_values(m * n, true);
  const std::vector<float> x = awkward_values(n, true);
  const double exact = static_cast<double>(n) * 0.1F * 0.1F;
  const OperandLayout vector = packed(DType::kFloat32, {{0, n}});
  const OperandLayout result = packed(DType::kFloat32, {{1, m}});
  for (const OperandLayout& matrix :
       {packed(DType::kFloat32, {{1, m}, {0, n}}), packed(DType::kFloat32, {{0, n}, {1, m}})}) {
    std::vector<float> out(static_cast<std::size_t>(m));
    const StepProblem problem{matrix, vector, result, DType::kFloat32, false};
    const auto prepared = host::prepare_nest(host::classify(problem), GetParam());
    prepared->run(a.data(), x.data(), out.data(), {}, {});
    for (const float value : out) {
      SCOPED_TRACE(prepared->describe());
      expect_close(value, exact, n);
    }
  }
}

// 2^53 + 1 - 2^53 and the like, many times over: what cancels in the sum does not cancel its correction.
TEST_P(LongSums, WithCompensationHoldTwiceTheDigits) {
  const std::int64_t n = 300'000;
  std::vector<double> a(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < a.size(); i += 3) {
    a[i] = 0x1p60;
    a[i + 1] = 0.1;
    a[i + 2] = -0x1p60;
  }
  double out = 0;
  StepProblem problem = sum_problem(DType::kFloat64, packed(DType::kFloat64, {{0, n}}), packed(DType::kFloat64, {}));
  problem.compensated = true;
  host::prepare_unary(problem, GetParam())->run(a.data(), nullptr, &out, {}, {});
  // All that is rounded is the sum of 1e5 corrections of 0.1, to within 1e5 u 1e4.
  EXPECT_NEAR(out, 1e4, 1e-7);
  const std::vector<double> ones(a.size(), 1.0);
  StepProblem dot{problem.a, problem.a, problem.out, DType::kFloat64, true};
  host::prepare_nest(host::classify(dot), GetParam())->run(a.data(), ones.data(), &out, {3.0, 0.0}, {});
  EXPECT_NEAR(out, 3e4, 3e-7);
}

INSTANTIATE_TEST_SUITE_P(All, LongSums, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& instance) { return instance.param; });

TEST(NestSums, AreTheSameForAnyNumberOfThreadsAndEveryTime) {
  const std::int64_t height = 3000;
  const std::int64_t width = 700;
  const std::vector<float> a = awkward_values(height * width, false);
  const OperandLayout matrix = packed(DType::kFloat32, {{0, height}, {1, width}});
  for (const OperandLayout& result :
       {packed(DType::kFloat32, {}), packed(DType::kFloat32, {{0, height}}), packed(DType::kFloat32, {{1, width}})}) {
    const auto prepared = host::prepare_unary(sum_problem(DType::kFloat32, matrix, result));
    std::vector<float> first(static_cast<std::size_t>(height));
    prepared->run(a.data(), nullptr, first.data(), {}, {1, {}});
    for (const int threads : {1, 2, 3, 7}) {
      std::vector<float> again(first.size());
      prepared->run(a.data(), nullptr, again.data(), {}, {threads, {}});
      EXPECT_EQ(first, again) << threads << " threads, " << prepared->describe();
    }
  }
}

TEST(NestSums, StopWhenCancelled) {
  const std::vector<double> a(1000);
  std::vector<double> out(1000);
  std::stop_source source;
  source.request_stop();
  const OperandLayout vector = packed(DType::kFloat64, {{0, 1000}});
  const auto expect_cancelled = [&](const PreparedStep& step) {
    try {
      step.run(a.data(), a.data(), out.data(), {}, {2, source.get_token()});
      ADD_FAILURE() << step.describe() << " ran";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
    }
  };
  expect_cancelled(*host::prepare_unary(sum_problem(DType::kFloat64, vector, vector)));
  expect_cancelled(*host::prepare_unary(sum_problem(DType::kFloat64, vector, packed(DType::kFloat64, {}))));
  expect_cancelled(*host::prepare_nest(host::classify({vector, vector, vector, DType::kFloat64, false})));
}

// Between the tiles of long work, not only before it.
TEST(NestSums, StopWhileTheyRun) {
  const std::int64_t n = 40'000'000;
  const std::vector<float> a(static_cast<std::size_t>(n));
  float out = 0;
  // A loop of stride 0 makes the work long without the memory.
  StepProblem problem = sum_problem(DType::kFloat32, packed(DType::kFloat32, {{0, n}}), packed(DType::kFloat32, {}));
  problem.a.axes.push_back({1, 1'000'000, 0});
  const auto prepared = host::prepare_unary(problem);
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  EXPECT_THROW(prepared->run(a.data(), nullptr, &out, {}, {2, source.get_token()}), Error);
}

TEST(NestSums, OfNothingAreZeroAndKeepBetaOut) {
  const StepProblem problem =
      sum_problem(DType::kFloat64, packed(DType::kFloat64, {{0, 0}, {1, 2}}), packed(DType::kFloat64, {{1, 2}}));
  const auto prepared = host::prepare_unary(problem);
  double out[] = {kNan, 3.0};
  prepared->run(out, nullptr, out, {2.0, 0.0}, {});
  EXPECT_EQ(out[0], 0.0);
  EXPECT_EQ(out[1], 0.0);
  out[0] = -7.0;
  prepared->run(out, nullptr, out, {2.0, 0.5}, {});
  EXPECT_EQ(out[0], -3.5);
  const StepProblem dot{packed(DType::kFloat64, {{0, 0}}), packed(DType::kFloat64, {{0, 0}}),
                        packed(DType::kFloat64, {}), DType::kFloat64, false};
  host::prepare_nest(host::classify(dot))->run(out, out, out, {1.0, 2.0}, {});
  EXPECT_EQ(out[0], -7.0);
}

TEST(NestSums, DoNotReadOutWhenBetaIsZero) {
  const double a[] = {1.0, 2.0, 3.0, 4.0};
  const OperandLayout vector = packed(DType::kFloat64, {{0, 4}});
  double out[] = {kNan, kInfinity, kNan, -kInfinity};
  host::prepare_nest(host::classify({vector, vector, vector, DType::kFloat64, false}))->run(a, a, out, {0.5, 0.0}, {});
  EXPECT_EQ(std::vector<double>(out, out + 4), (std::vector<double>{0.5, 2.0, 4.5, 8.0}));
  double sum = kNan;
  host::prepare_unary(sum_problem(DType::kFloat64, vector, packed(DType::kFloat64, {})))->run(a, nullptr, &sum, {}, {});
  EXPECT_EQ(sum, 10.0);
}

TEST(NestSums, KeepTheSignOfZeroOfOneTerm) {
  const double a[] = {-0.0, 0.0};
  const double b[] = {1.0, -1.0};
  const OperandLayout vector = packed(DType::kFloat64, {{0, 2}});
  for (const int compensated : {0, 1, 2}) {
    double out[] = {1.0, 1.0};
    host::prepare_nest(host::classify({vector, vector, vector, DType::kFloat64, compensated}))->run(a, b, out, {}, {});
    EXPECT_TRUE(out[0] == 0.0 && std::signbit(out[0])) << compensated;
    EXPECT_TRUE(out[1] == 0.0 && std::signbit(out[1])) << compensated;
  }
}

// Random operands with NaN and infinities among them; a compensated sum must not make NaN of an infinite one.
TEST(NestSums, PassNanAndInfinityOn) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    StepTypes types;
    types.a = types.b = types.load_as = types.accumulator = types.out = DType::kFloat64;
    types.compensated = static_cast<int>(seed % 3);
    const std::vector<StepLabel> labels = {{LabelKind::kM, random.integer(1, 40)},
                                           {LabelKind::kK, random.integer(1, 20)},
                                           {LabelKind::kBatch, random.integer(1, 4)}};
    RandomStep step = make_step(labels, types, MemoryKind::kAny, random);
    fill(step.a, types.a, random, true);
    fill(step.b, types.b, random, true);
    ASSERT_TRUE(run_and_match(*host::prepare_nest(host::classify(step.problem)), step)) << "seed " << seed;
    step.problem.b.reset();
    StepProblem& problem = step.problem;
    ASSERT_TRUE(run_and_match(*host::prepare_unary(problem), step)) << "seed " << seed;
  }
}

TEST(NestSums, RefuseSumsInNarrowFloats) {
  const OperandLayout half = packed(DType::kFloat16, {{0, 4}});
  try {
    static_cast<void>(host::prepare_unary(sum_problem(DType::kFloat16, half, half)));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("float16"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace trntensor::testing
