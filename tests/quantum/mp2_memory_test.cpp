// The four-index tensor is never held, and a limit on memory is kept.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/quantum/mp2_oracle.hpp"
#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/plan/epilogue_step.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::Mp2Problem;
using testing::random_problem;

/// Runs on the default executor and records what it was asked for.
class Spy final : public Executor {
 public:
  [[nodiscard]] std::string name() const override { return "spy"; }
  [[nodiscard]] std::unique_ptr<const PreparedStep> prepare(const StepProblem& problem) const override {
    ++steps;
    return default_executor().prepare(problem);
  }
  [[nodiscard]] std::unique_ptr<const PreparedEpilogue> prepare_epilogue(
      const EpilogueProblem& problem) const override {
    ++epilogues;
    auto prepared = default_executor().prepare_epilogue(problem);
    block_bytes = prepared->block_bytes(1);
    return prepared;
  }

  mutable std::int64_t block_bytes = 0;
  mutable int steps = 0;
  mutable int epilogues = 0;
};

constexpr std::int64_t kNocc = 24;
constexpr std::int64_t kNvir = 30;
constexpr std::int64_t kPairBytes = kNvir * kNvir * 8;

/// Of the two energies of each pair.
constexpr std::int64_t energy_bytes(std::int64_t nocc) { return nocc * nocc * 16; }

TEST(Mp2Memory, TheFourIndexTensorIsNeverHeld) {
  const Spy spy;
  const Mp2Result result = random_problem(kNocc, kNvir, 5).energy({.num_threads = 1, .executor = &spy});
  EXPECT_EQ(result.workspace_bytes, spy.block_bytes);
  EXPECT_LE(spy.block_bytes, kNocc * kNocc * kPairBytes / 8);
  EXPECT_EQ(spy.epilogues, 1);
  EXPECT_EQ(spy.steps, 0) << "nothing is contracted outside the epilogue";
}

// Another limit cuts other tiles, which may be contracted in another order; another number of threads does not.
TEST(Mp2Memory, EveryLimitGivesTheSameEnergy) {
  const Mp2Problem problem = random_problem(kNocc, kNvir, 20);
  const Mp2Result expected = problem.energy();
  const double tolerance = 2 * testing::relative_tolerance(20, 0x1p-53) * std::abs(expected.opposite_spin);
  for (const std::int64_t pairs : {1, 3, 16, 70, 100000}) {
    const std::int64_t limit = pairs * kPairBytes + energy_bytes(kNocc);
    const Mp2Result alone = problem.energy({.memory_limit = limit, .num_threads = 1});
    EXPECT_NEAR(alone.opposite_spin, expected.opposite_spin, tolerance) << pairs << " pairs";
    EXPECT_NEAR(alone.same_spin, expected.same_spin, tolerance) << pairs << " pairs";
    for (const int threads : {1, 2, 5}) {
      const Spy spy;
      const Mp2Result result = problem.energy({.memory_limit = limit, .num_threads = threads, .executor = &spy});
      EXPECT_EQ(result.correlation_energy, alone.correlation_energy) << pairs << " pairs, " << threads << " threads";
      EXPECT_LE(result.workspace_bytes, limit);
      EXPECT_LE(spy.block_bytes, result.workspace_bytes);
    }
  }
}

TEST(Mp2Memory, TooSmallALimitIsRefusedBeforeAnythingIsPrepared) {
  const Spy spy;
  const Mp2Problem problem = random_problem(4, kNvir, 5);
  constexpr std::int64_t kLeast = kPairBytes + energy_bytes(4);
  EXPECT_EQ(problem.energy({.memory_limit = kLeast}).workspace_bytes, kLeast);
  expect_error(ErrorKind::kOutOfMemory,
               {"30 x 30", "need 7.28 KiB (7456 bytes)", "(7455 bytes)", "at least 7456 bytes"},
               [&] { problem.energy({.memory_limit = kLeast - 1, .executor = &spy}); });
  EXPECT_EQ(spy.epilogues, 0);
}

TEST(Mp2Memory, Float32NeedsHalf) {
  const Mp2Problem problem = random_problem(4, kNvir, 5);
  constexpr std::int64_t kLeast = kPairBytes / 2 + energy_bytes(4);
  EXPECT_EQ(problem.energy({.dtype = DType::kFloat32, .memory_limit = kLeast}).workspace_bytes, kLeast);
}

}  // namespace
}  // namespace trntensor
