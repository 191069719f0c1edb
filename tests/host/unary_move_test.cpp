// Moves keep every bit; large ones, written past the caches, too.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/step_random.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/unary_step.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::testing {
namespace {

struct Loop {
  std::int64_t extent = 1;
  std::int64_t a = 0;
  std::int64_t out = 0;
};

StepProblem move_problem(DType dtype, DType accumulator, const std::vector<Loop>& loops) {
  StepProblem problem;
  problem.a = {dtype, dtype, {}};
  problem.out = {dtype, dtype, {}};
  problem.accumulator = accumulator;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const auto label = static_cast<Label>(i);
    problem.a.axes.push_back({label, loops[i].extent, loops[i].a});
    problem.out.axes.push_back({label, loops[i].extent, loops[i].out});
  }
  return problem;
}

std::vector<std::byte> random_bytes(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Random bytes are NaNs of every payload, subnormals, and values no type has a name for.
::testing::AssertionResult moves_all_bits(const StepProblem& problem, const std::string& kernel, std::int64_t shift,
                                          std::int64_t elements, std::uint64_t seed) {
  const auto item = static_cast<std::int64_t>(size_of(problem.a.dtype));
  const std::vector<std::byte> a = random_bytes(elements * item, seed);
  std::vector<std::byte> out(static_cast<std::size_t>(elements * item + shift + 64));
  // From a whole line on, so that `shift` is the alignment.
  auto* const base =
      reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(out.data()) + 63) / 64 * 64) + shift;
  const auto prepared = host::prepare_unary(problem, kernel);
  prepared->run(a.data(), nullptr, base, {}, {2, {}});
  ::testing::AssertionResult result = ::testing::AssertionSuccess();
  const std::vector<detail::StepLoop> loops = detail::step_loops(problem);
  detail::for_each_point(loops, 0, 0, 0, [&](std::int64_t from, std::int64_t, std::int64_t to) {
    if (result && std::memcmp(a.data() + from * item, base + to * item, static_cast<std::size_t>(item)) != 0) {
      result = ::testing::AssertionFailure() << "element " << from << " differs, " << prepared->describe();
    }
  });
  return result;
}

class UnaryMoves : public ::testing::TestWithParam<std::string> {};

TEST_P(UnaryMoves, KeepEveryBitOfEveryType) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (dtype == DType::kBool) continue;  // has two values only
    const StepProblem problem = move_problem(dtype, accumulator_type(dtype), {{67, 35, 1}, {35, 1, 67}});
    EXPECT_TRUE(moves_all_bits(problem, GetParam(), 0, 67 * 35, 7)) << to_string(dtype);
    EXPECT_TRUE(moves_all_bits(problem, GetParam(), 3, 67 * 35, 8)) << to_string(dtype) << ", unaligned";
  }
}

// Larger than what is written past the caches, in lines of memory and beside them.
TEST_P(UnaryMoves, KeepEveryBitOfLargeTransposes) {
  for (const DType dtype : {DType::kUInt8, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex128}) {
    const auto item = static_cast<std::int64_t>(size_of(dtype));
    const std::int64_t rows = 512;
    const std::int64_t columns = (4 * cpu_info().l2_bytes / (rows * item) + 64) / 64 * 64;
    for (const std::int64_t odd : {0, 1}) {
      const std::int64_t m = rows + odd;
      const std::int64_t n = columns + odd;
      const StepProblem problem = move_problem(dtype, accumulator_type(dtype), {{m, n, 1}, {n, 1, m}});
      EXPECT_TRUE(moves_all_bits(problem, GetParam(), 0, m * n, 9)) << to_string(dtype) << " odd " << odd;
    }
  }
}

TEST_P(UnaryMoves, KeepEveryBitOfLargeRunsAndFills) {
  const std::int64_t items = 4 * cpu_info().l2_bytes / 8;
  const std::int64_t outer = items / (8 * 67) + 1;
  const StepProblem runs =
      move_problem(DType::kFloat64, DType::kFloat64, {{outer, 8 * 67, 67}, {8, 67, outer * 67}, {67, 1, 1}});
  EXPECT_TRUE(moves_all_bits(runs, GetParam(), 8, outer * 8 * 67, 10));
  const std::int64_t width = 1001;
  const std::int64_t height = items / width + 1;
  const StepProblem fill = move_problem(DType::kFloat64, DType::kFloat64, {{height, 1, width}, {width, 0, 1}});
  EXPECT_TRUE(moves_all_bits(fill, GetParam(), 8, height * width, 11));
}

INSTANTIATE_TEST_SUITE_P(All, UnaryMoves, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& instance) { return instance.param; });

TEST(UnaryMove, KeepsShortRunsBetweenOtherLoops) {
  for (const std::int64_t run : {1, 2, 3, 4, 6, 8, 16, 17, 40}) {
    const StepProblem problem =
        move_problem(DType::kFloat32, DType::kFloat32, {{33, 21 * run, run}, {21, run, 33 * run}, {run, 1, 1}});
    EXPECT_TRUE(moves_all_bits(problem, "", 0, 33 * 21 * run, 12)) << "run " << run;
  }
}

// A step that moves is asked to scale by two threads at once, and to move again.
TEST(UnaryMove, ScalesWhenItIsAskedTo) {
  const auto prepared = host::prepare_unary(move_problem(DType::kFloat64, DType::kFloat64, {{2, 3, 1}, {3, 1, 2}}));
  const std::vector<double> a = {1, 2, 3, 4, 5, 6};
  const std::vector<double> moved = {1, 4, 2, 5, 3, 6};
  std::vector<double> outs[2] = {std::vector<double>(6), std::vector<double>(6, 1.0)};
  {
    std::jthread other([&] { prepared->run(a.data(), nullptr, outs[0].data(), {2.0, 0.0}, {}); });
    prepared->run(a.data(), nullptr, outs[1].data(), {1.0, 10.0}, {});
  }
  for (std::size_t i = 0; i < moved.size(); ++i) {
    EXPECT_EQ(outs[0][i], 2 * moved[i]);
    EXPECT_EQ(outs[1][i], 10 + moved[i]);
  }
  prepared->run(a.data(), nullptr, outs[0].data(), {}, {});
  EXPECT_EQ(outs[0], moved);
}

TEST(UnaryMove, TreatsAnyByteButZeroAsTrueInSums) {
  const std::uint8_t bytes[] = {0, 2, 0, 128, 0, 0};
  StepProblem problem;
  problem.a = {DType::kBool, DType::kBool, {{0, 3, 2}, {1, 2, 1}}};
  problem.out = {DType::kBool, DType::kBool, {{0, 3, 1}}};
  problem.accumulator = DType::kBool;
  std::uint8_t out[] = {9, 9, 9};
  host::prepare_unary(problem)->run(bytes, nullptr, out, {}, {});
  EXPECT_EQ(std::vector<std::uint8_t>(out, out + 3), (std::vector<std::uint8_t>{1, 1, 0}));
}

}  // namespace
}  // namespace trntensor::testing
