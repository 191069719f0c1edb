// The optimal search against brute force, its limits, and the search that chooses between finders.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/plan/brute_force.hpp"
#include "tests/plan/graphs.hpp"
#include "tests/plan/subset_programme.hpp"
#include "tests/plan/support.hpp"
#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/path_finder.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor {
namespace {

using testing::BruteForce;
using testing::is_legal;
using testing::Pairs;
using testing::plan_of;

// Up to six operands over few labels: hyperedges, labels in one operand only, disconnected parts, extents 0 and 1.
Spec random_network(Random& random) {
  const std::int64_t labels = random.integer(1, 7);
  const std::int64_t operands = random.integer(2, 6);
  std::vector<std::int64_t> extents;
  for (std::int64_t l = 0; l < labels; ++l) {
    const std::int64_t draw = random.integer(0, 29);
    extents.push_back(draw == 0 ? 0 : draw < 4 ? 1 : random.integer(2, 9));
  }
  std::vector<std::vector<std::int64_t>> inputs;
  std::vector<Shape> shapes;
  std::vector<bool> used(static_cast<std::size_t>(labels), false);
  for (std::int64_t k = 0; k < operands; ++k) {
    inputs.emplace_back();
    shapes.emplace_back();
    for (std::int64_t l = 0; l < labels; ++l) {
      if (random.integer(0, 2) != 0) continue;
      const bool broadcast = random.integer(0, 11) == 0;
      inputs.back().push_back(l);
      shapes.back().push_back(broadcast ? 1 : extents[static_cast<std::size_t>(l)]);
      used[static_cast<std::size_t>(l)] = true;
    }
  }
  std::vector<std::int64_t> output;
  for (std::int64_t l = 0; l < labels; ++l) {
    if (used[static_cast<std::size_t>(l)] && random.integer(0, 3) == 0) output.push_back(l);
  }
  return make_spec(inputs, output, shapes);
}

TEST(OptimalPath, MatchesBruteForceOnRandomNetworks) {
  constexpr std::uint64_t kSeed = 71;
  int without_scalars = 0;
  for (std::uint64_t round = 0; round < 3000; ++round) {
    Random random(kSeed + round);
    const Spec spec = random_network(random);
    const Plan plan = plan_of(spec, {.method = PathMethod::kOptimal});
    const double macs = plan.contents().macs;
    const BruteForce contractions(spec, Pairs::kContractionsFirst);
    const std::string where = "seed " + std::to_string(kSeed + round) + ": " + spec.to_string();
    ASSERT_TRUE(is_legal(plan)) << where;
    ASSERT_LE(macs, contractions.least_macs() * (1 + 1e-12)) << where;
    ASSERT_GE(macs, BruteForce(spec, Pairs::kAny).least_macs() * (1 - 1e-12)) << where;
    if (contractions.has_scalar_part()) continue;
    ++without_scalars;
    ASSERT_NEAR(macs, contractions.least_macs(), 1e-12 * macs) << where;
  }
  EXPECT_GT(without_scalars, 300);
}

// Multiply-adds are whole numbers below 2^53 here, so sums of them are exact in any order.
void expect_optimum(const Spec& spec, const std::string& where) {
  const Plan plan = plan_of(spec, {.method = PathMethod::kOptimal});
  EXPECT_EQ(plan.contents().method, "optimal") << where;
  EXPECT_TRUE(is_legal(plan)) << where;
  EXPECT_EQ(plan.contents().macs, testing::SubsetProgramme(spec).least_macs()) << where;
}

struct Shaped {
  const char* name;
  testing::Graph (*make)(std::int64_t tensors, Random& random);
  friend void PrintTo(const Shaped& shaped, std::ostream* stream) { *stream << shaped.name; }
};

class OptimalPathOf : public ::testing::TestWithParam<Shaped> {
 protected:
  void expect_optima(std::int64_t tensors, std::uint64_t rounds) {
    constexpr std::int64_t kLargestExtent = 6;
    for (std::uint64_t seed = 0; seed < rounds && !HasFailure(); ++seed) {
      Random random(seed);
      const testing::Graph graph = GetParam().make(tensors, random);
      const Spec spec = testing::network_of(graph, kLargestExtent, random);
      expect_optimum(spec, std::string(GetParam().name) + " seed " + std::to_string(seed) + ": " + spec.to_string());
    }
  }
};

TEST_P(OptimalPathOf, MatchesASubsetProgramme) {
  for (std::int64_t tensors = 3; tensors <= 9; ++tensors) expect_optima(tensors, 100);
}

TEST_P(OptimalPathOf, FourteenOperandsIsFoundWithoutFallingBack) { expect_optima(14, 3); }

INSTANTIATE_TEST_SUITE_P(
    Shapes, OptimalPathOf,
    ::testing::Values(Shaped{"chain", [](std::int64_t n, Random&) { return testing::chain(n); }},
                      Shaped{"ring", [](std::int64_t n, Random&) { return testing::ring(n); }},
                      Shaped{"grid", [](std::int64_t n, Random&) { return testing::grid(n, n > 9 ? 5 : 3); }},
                      Shaped{"tree", testing::random_tree},
                      Shaped{"cubic",
                             [](std::int64_t n, Random& random) { return testing::random_cubic(n + n % 2, random); }},
                      Shaped{"random", testing::random_graph}),
    [](const auto& shaped) { return std::string(shaped.param.name); });

TEST(OptimalPath, IsNeverDearerThanGreedyOrAuto) {
  constexpr std::uint64_t kSeed = 9000;
  for (std::uint64_t round = 0; round < 500; ++round) {
    Random random(kSeed + round);
    const Spec spec = random_network(random);
    const double optimal = plan_of(spec, {.method = PathMethod::kOptimal}).contents().macs;
    for (const PathMethod method : {PathMethod::kGreedy, PathMethod::kAuto}) {
      const Plan other = plan_of(spec, {.method = method});
      ASSERT_TRUE(is_legal(other)) << "seed " << kSeed + round << ": " << spec.to_string();
      ASSERT_LE(optimal, other.contents().macs) << "seed " << kSeed + round << ": " << spec.to_string();
    }
  }
}

// An outer product of two small vectors can beat every contraction; no finder looks for it.
TEST(OptimalPath, TakesNoOuterProductWithinAConnectedPart) {
  const Spec spec = testing::spec_of("abcd,a,b,c,d->", {{"a", 10}, {"b", 10}, {"c", 10}, {"d", 10}});
  EXPECT_EQ(plan_of(spec, {.method = PathMethod::kOptimal}).contents().macs, 11110);
  EXPECT_EQ(BruteForce(spec, Pairs::kAny).least_macs(), 10210);
}

TEST(OptimalPath, MultipliesNumbersToTheSmallestTensor) {
  const Plan plan = plan_of(",ij,jk,->ik", {{"i", 100}, {"j", 3}, {"k", 100}}, {.method = PathMethod::kOptimal});
  EXPECT_EQ(plan.contents().macs, 1 + 300 + 30000);
}

plan::Network chain(std::size_t tensors) {
  plan::Network network;
  network.extents.assign(tensors + 1, 2.0);
  for (std::size_t t = 0; t < tensors; ++t) {
    plan::LabelSet labels(tensors + 1);
    labels.insert(t);
    labels.insert(t + 1);
    network.tensors.push_back(labels);
  }
  network.output = plan::LabelSet(tensors + 1);
  network.output.insert(0);
  network.output.insert(tensors);
  return network;
}

TEST(OptimalPath, GivesUpWhenTheWorkDoesNotSuffice) {
  EXPECT_FALSE(plan::optimal_path(chain(40), {{}, 100}).has_value());
  EXPECT_TRUE(plan::optimal_path(chain(40), {}).has_value());
}

TEST(OptimalPath, SearchesUpTo512TensorsAndLabels) {
  const auto long_one = plan::optimal_path(chain(100), {});
  ASSERT_TRUE(long_one.has_value());
  EXPECT_TRUE(long_one->optimal);
  EXPECT_EQ(long_one->steps.size(), 99U);
  EXPECT_FALSE(plan::optimal_path(chain(512), {}).has_value());
}

TEST(OptimalPath, RefusesWhatIsOutOfReachAndSaysWhatToDo) {
  std::vector<std::vector<std::int64_t>> inputs;
  for (std::int64_t t = 0; t < 600; ++t) inputs.push_back({t, t + 1});
  const Spec spec = make_spec(inputs, {{0, 600}}, std::vector<Shape>(600, Shape{2, 2}));
  testing::expect_error(ErrorKind::kUnsupported, {"600 operands", "greedy"},
                        [&] { plan_of(spec, {.method = PathMethod::kOptimal}); });
  EXPECT_TRUE(is_legal(plan_of(spec)));
  EXPECT_TRUE(is_legal(plan_of(spec, {.method = PathMethod::kGreedy})));
}

TEST(PathSearch, EndsWhenItIsStopped) {
  std::stop_source source;
  source.request_stop();
  const Spec spec = testing::read_instance("rand_50_5_a").spec;
  for (const PathMethod method : {PathMethod::kOptimal, PathMethod::kGreedy, PathMethod::kAuto}) {
    testing::expect_error(ErrorKind::kCancelled, {"cancelled"},
                          [&] { plan_of(spec, {.method = method, .stop = source.get_token()}); });
  }
}

}  // namespace
}  // namespace trntensor
