// Contractions as large as people have them: thousands of operands, more labels than the alphabets have.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "tests/common/random_spec.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kOperands = 3369;  // as the circuit of 53 qubits and 20 cycles has, unsimplified
constexpr std::int64_t kLabels = 2000;

struct Network {
  std::vector<Numbers> inputs;
  std::vector<Shape> shapes;

  Network() {
    Random random(5);
    for (std::int64_t operand = 0; operand < kOperands; ++operand) {
      Numbers labels;
      for (std::int64_t axis = random.integer(1, 4); axis > 0; --axis) {
        const std::int64_t label = operand < kLabels && labels.empty() ? operand : random.integer(0, kLabels - 1);
        if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
      }
      inputs.push_back(labels);
      shapes.emplace_back(labels.size(), 2);
    }
  }
};

/// The shortest of five runs, so that other work on the machine does not count.
template <typename Function>
double milliseconds(Function&& function) {
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    const auto start = std::chrono::steady_clock::now();
    function();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

TEST(LargeNetwork, TextAndNumbersMeanTheSame) {
  const Network network;
  const Spec spec = make_spec(network.inputs, Numbers{3, 1, 2}, network.shapes);
  EXPECT_EQ(spec.extents.size(), static_cast<std::size_t>(kLabels));
  const std::string text = spec.to_string();
  EXPECT_EQ(parse_spec(text, network.shapes), spec);
}

TEST(LargeNetwork, TakesMillisecondsInEitherForm) {
  const Network network;
  const Spec spec = make_spec(network.inputs, Numbers{3, 1, 2}, network.shapes);
  const std::string text = spec.to_string();
  EXPECT_LT(milliseconds([&] { parse_spec(text, network.shapes); }), 50);
  EXPECT_LT(milliseconds([&] { make_spec(network.inputs, Numbers{3, 1, 2}, network.shapes); }), 50);
  EXPECT_LT(milliseconds([&] { static_cast<void>(spec.to_string()); }), 50);
}

TEST(LargeNetwork, MessagesStayShort) {
  const Network network;
  for (const Numbers& output : {Numbers{kLabels}, Numbers{1, 1}}) {
    try {
      make_spec(network.inputs, output, network.shapes);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_LT(std::string(error.what()).size(), 500u) << error.what();
    }
  }
}

TEST(LargeNetwork, GarbageIsRefusedAtOnce) {
  std::string dots(10'000'000, '.');
  EXPECT_LT(milliseconds([&] { EXPECT_THROW(parse_spec(dots, std::vector<Shape>{{}}), Error); }), 50);
  std::string late = std::string(1'000'000, ' ') + "\xff";
  EXPECT_LT(milliseconds([&] { EXPECT_THROW(parse_spec(late, std::vector<Shape>{{}}), Error); }), 50);
}

}  // namespace
}  // namespace trntensor
