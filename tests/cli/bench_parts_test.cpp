// The parts of the benchmark that others' figures depend on: every road to a GEMM gives the right result, statistics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/bench/agreement.hpp"
#include "cli/bench/measure.hpp"
#include "cli/bench/ttgt.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::testing {
namespace {

using namespace cli::bench;

void multiply(const GemmProblem& problem, const GemmCall& call) {
  const auto* a = static_cast<const double*>(call.a);
  const auto* b = static_cast<const double*>(call.b);
  auto* c = static_cast<double*>(call.c);
  const auto [dtype, m, n, k, transposed_a, transposed_b, batch] = problem;
  for (std::int64_t matrix = 0; matrix < batch; ++matrix, a += m * k, b += k * n, c += m * n) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::int64_t p = 0; p < k; ++p)
          sum += a[transposed_a ? p * m + i : i * k + p] * b[transposed_b ? j * k + p : p * n + j];
        c[i * n + j] = sum;
      }
    }
  }
}

/// Offers only the product it is asked for after `declined` others.
class LatePeer final : public Peer {
 public:
  explicit LatePeer(int declined) : left_(declined) {}
  [[nodiscard]] std::string name() const override { return "late"; }
  [[nodiscard]] std::string version() const override { return "1"; }
  [[nodiscard]] std::string kernels() const override { return "loop"; }
  [[nodiscard]] Gemm prepare(const GemmProblem& problem, int /*threads*/) const override {
    if (left_-- != 0) return {};
    return {[problem](const GemmCall& call) { multiply(problem, call); }, "loop"};
  }

 private:
  mutable int left_;
};

std::vector<double> numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  fill(values.data(), DType::kFloat64, count, Filling::kWholeNumbers, seed);
  return values;
}

/// Runs every road of the contraction; returns how many there are.
int check_roads(const Contracted& contracted) {
  const std::vector<double> a = numbers(contracted.size(contracted.a), 1);
  const std::vector<double> b = numbers(contracted.size(contracted.b), 2);
  const auto shape = [&](const std::string& labels) {
    Shape extents;
    for (const char label : labels) extents.push_back(contracted.extents.at(label));
    return extents;
  };
  const std::vector<double> expected = einsum(contracted.subscripts(), {TensorView::of(a.data(), shape(contracted.a)),
                                                                        TensorView::of(b.data(), shape(contracted.b))})
                                           .to_vector<double>();
  int roads = 0;
  while (true) {
    std::vector<double> c(expected.size(), std::nan(""));
    Workspace workspace;
    const LatePeer peer(roads);
    const auto contestant = best_ttgt(contracted, {a.data(), b.data(), c.data()}, peer, 1, workspace);
    if (!contestant) return roads;
    std::fill(c.begin(), c.end(), std::nan(""));
    contestant->run(2);
    EXPECT_EQ(c, expected) << contracted.subscripts() << ", road " << roads;
    ++roads;
  }
}

const std::map<char, std::int64_t> kExtents = {{'a', 3}, {'b', 4}, {'c', 5}, {'d', 2}, {'e', 6}, {'f', 7}, {'g', 8}};

Contracted contracted(const std::string& subscripts) {
  Contracted result = parse_contracted(subscripts, {}, DType::kFloat64);
  for (const char label : result.a + result.b) result.extents[label] = kExtents.at(label);
  return result;
}

TEST(GemmRoads, AllGiveTheContraction) {
  EXPECT_EQ(check_roads(contracted("ab,bc->ac")), 8) << "each matrix plain or transposed";
  check_roads(contracted("ca,bc->ba"));
  check_roads(contracted("adb,cd->cba"));
  check_roads(contracted("gab,gbc->gac"));
  EXPECT_EQ(check_roads(contracted("fbea,ecfd->dcba")), 32) << "a and c have the rows in one order";
  EXPECT_EQ(check_roads(contracted("feab,ecfd->dcba")), 64);
  check_roads(contracted("aged,cbfg->fedcba"));
  check_roads(contracted("ab,c->cab"));
  check_roads(contracted("ab,ab->"));
}

TEST(GemmRoads, TheFirstMovesNothingWhereTheProductIsThere) {
  for (const char* subscripts : {"ab,bc->ac", "ba,bc->ac", "ab,cb->ca", "dae,deb->dab"}) {
    const std::vector<GemmRoad> roads = gemm_roads(contracted(subscripts));
    EXPECT_EQ(roads.front().moved_bytes, 0) << subscripts;
    EXPECT_GT(roads.back().moved_bytes, 0) << subscripts;
  }
  // a has the summed label in its middle and must be moved: read and written.
  EXPECT_EQ(gemm_roads(contracted("adb,cd->cba")).front().moved_bytes, 2 * 8 * (3 * 2 * 4));
}

TEST(GemmRoads, CostsAreThoseOfTheContraction) {
  const Contracted product = contracted("adb,cd->cba");
  EXPECT_EQ(product.flops(), 2.0 * 3 * 2 * 4 * 5);
  EXPECT_EQ(product.bytes(), 8.0 * (3 * 2 * 4 + 5 * 2 + 5 * 4 * 3));
  EXPECT_EQ(product.terms(), 2);
}

TEST(Agreement, WholeNumbersMayNotDiffer) {
  std::vector<float> one = {1, 2, 3};
  std::vector<float> other = one;
  const auto differs = [&](Filling filling, std::int64_t terms) {
    return first_difference(one.data(), other.data(), DType::kFloat32, 3, filling,
                            difference_bound(DType::kFloat32, terms))
        .has_value();
  };
  EXPECT_FALSE(differs(Filling::kWholeNumbers, 8));
  other[2] = std::nextafter(3.0F, 4.0F);
  EXPECT_TRUE(differs(Filling::kWholeNumbers, 8));
  EXPECT_FALSE(differs(Filling::kReals, 8));
  other[2] = 3 + static_cast<float>(1.5 * difference_bound(DType::kFloat32, 8));
  EXPECT_TRUE(differs(Filling::kReals, 8));
  other[2] = std::nanf("");
  EXPECT_TRUE(differs(Filling::kReals, 8));
}

TEST(Agreement, FillingsAreRepeatable) {
  EXPECT_EQ(numbers(100, 7), numbers(100, 7));
  EXPECT_NE(numbers(100, 7), numbers(100, 8));
  for (const double value : numbers(100, 7)) {
    EXPECT_EQ(value, std::floor(value));
    EXPECT_LE(std::abs(value), 3);
  }
}

TEST(Measure, EveryContestantHasEveryRound) {
  std::vector<std::int64_t> calls(3);
  std::vector<Contestant> contestants;
  for (std::int64_t& count : calls) contestants.push_back({"x", "", [&count](std::int64_t times) { count += times; }});
  MeasureOptions options;
  options.seconds = 1e-6;
  options.rounds = 7;
  const Samples samples = measure_in_turn(contestants, options);
  ASSERT_EQ(samples.size(), 3U);
  for (const auto& seconds : samples) {
    EXPECT_EQ(seconds.size(), samples[0].size());
    EXPECT_GE(seconds.size(), 7U);
  }
  for (const std::int64_t count : calls) EXPECT_GT(count, 7);
}

TEST(Measure, AStopEndsIt) {
  std::stop_source source;
  const std::vector<Contestant> contestants = {{"x", "", [&](std::int64_t) { source.request_stop(); }}};
  MeasureOptions options;
  options.stop = source.get_token();
  try {
    measure_in_turn(contestants, options);
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
  }
}

TEST(Measure, QuantilesAreBetweenNeighbours) {
  const Quantiles of_five = quantiles({5, 1, 3, 2, 4});
  EXPECT_DOUBLE_EQ(of_five.median, 3);
  EXPECT_DOUBLE_EQ(of_five.p10, 1.4);
  EXPECT_DOUBLE_EQ(of_five.p90, 4.6);
  EXPECT_DOUBLE_EQ(quantiles({7}).p90, 7);
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{1, 4, 16}), 4);
  EXPECT_EQ(geometric_mean({}), 0);
}

}  // namespace
}  // namespace trntensor::testing
