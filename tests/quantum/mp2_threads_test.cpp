// Any number of threads gives the same bits; callers may share; work can be cancelled and watched.
#include <gtest/gtest.h>

#include <thread>

#include "tests/quantum/mp2_oracle.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::Mp2Problem;
using testing::random_problem;

TEST(Mp2Threads, EveryCountGivesTheSameBits) {
  const Mp2Problem problem = random_problem(23, 35, 40);
  const Mp2Result expected = problem.energy({.pairs = true, .num_threads = 1});
  for (const int threads : {2, 3, 8}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Mp2Result result = problem.energy({.pairs = true, .num_threads = threads});
      EXPECT_EQ(result.opposite_spin, expected.opposite_spin) << threads << " threads";
      EXPECT_EQ(result.same_spin, expected.same_spin) << threads << " threads";
      EXPECT_EQ(result.pair_same_spin->to_vector<double>(), expected.pair_same_spin->to_vector<double>());
    }
  }
}

TEST(Mp2Threads, CallersMayRunAtOnce) {
  const Mp2Problem problem = random_problem(9, 20, 15);
  const double expected = problem.energy().correlation_energy;
  std::vector<double> energies(4);
  std::vector<std::jthread> callers;
  for (double& energy : energies) {
    callers.emplace_back([&] { energy = problem.energy({.num_threads = 2}).correlation_energy; });
  }
  callers.clear();
  for (const double energy : energies) EXPECT_EQ(energy, expected);
}

TEST(Mp2Threads, ProgressCountsUpToAllPairs) {
  std::int64_t last = 0;
  std::int64_t total = 0;
  int calls = 0;
  const auto progress = [&](std::int64_t done, std::int64_t of) {
    EXPECT_GT(done, last);
    last = done;
    total = of;
    ++calls;
  };
  random_problem(40, 30, 4).energy({.num_threads = 3, .progress = progress});
  EXPECT_EQ(last, 40 * 41 / 2);
  EXPECT_EQ(total, 40 * 41 / 2);
  EXPECT_GT(calls, 3);
}

TEST(Mp2Cancel, AStoppedTokenEndsTheWork) {
  const Mp2Problem problem = random_problem(30, 40, 50);
  std::stop_source source;
  int calls = 0;
  const auto stop_at_once = [&](std::int64_t, std::int64_t) {
    ++calls;
    source.request_stop();
  };
  expect_error(ErrorKind::kCancelled, {"cancelled"},
               [&] { problem.energy({.num_threads = 2, .stop = source.get_token(), .progress = stop_at_once}); });
  EXPECT_LE(calls, 2) << "at most the tiles that were in work are finished";
}

TEST(Mp2Cancel, AnErrorInTheCallbackReachesTheCaller) {
  const auto fail = [](std::int64_t, std::int64_t) { throw std::runtime_error("callback"); };
  EXPECT_THROW(random_problem(30, 20, 5).energy({.num_threads = 2, .progress = fail}), std::runtime_error);
}

}  // namespace
}  // namespace trntensor
