// Every two-operand string over up to four labels and ranks 0 to 3, up to renaming, against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/host/executor.hpp"
#include "trntensor/reference/reference.hpp"

namespace trntensor {
namespace {

constexpr int kMaxLabels = 4;
constexpr int kMaxRank = 3;
constexpr std::int64_t kExpectedStrings = 8828;  // counted independently of the enumeration below

/// Calls `visit(term_a, term_b, labels_used)` for every pair of terms whose labels appear in alphabetical order.
template <typename Visit>
void for_each_pair_of_terms(Visit&& visit) {
  for (std::size_t rank_a = 0; rank_a <= kMaxRank; ++rank_a) {
    for (std::size_t rank_b = 0; rank_b <= kMaxRank; ++rank_b) {
      std::string labels(rank_a + rank_b, 'a');
      const auto extend = [&](auto&& self, std::size_t position, int used) -> void {
        if (position == labels.size()) {
          visit(labels.substr(0, rank_a), labels.substr(rank_a), used);
          return;
        }
        for (int label = 0; label < std::min(used + 1, kMaxLabels); ++label) {
          labels[position] = static_cast<char>('a' + label);
          self(self, position + 1, std::max(used, label + 1));
        }
      };
      extend(extend, 0, 0);
    }
  }
}

/// Calls `visit(output)` for every ordered choice of distinct labels among the first `used`.
template <typename Visit>
void for_each_output(int used, Visit&& visit) {
  std::string output;
  const auto extend = [&](auto&& self) -> void {
    visit(output);
    for (int label = 0; label < used; ++label) {
      const char letter = static_cast<char>('a' + label);
      if (output.find(letter) != std::string::npos) continue;
      output += letter;
      self(self);
      output.pop_back();
    }
  };
  extend(extend);
}

Tensor operand(const std::string& term, const std::vector<std::int64_t>& extents, int salt) {
  Shape shape;
  for (const char letter : term) shape.push_back(extents[static_cast<std::size_t>(letter - 'a')]);
  Tensor tensor = Tensor::empty(shape, DType::kFloat64);
  // Small whole numbers without a pattern that a permutation could keep: every sum is exact.
  for (std::int64_t n = 0; n < tensor.size(); ++n) {
    tensor.data_as<double>()[n] = static_cast<double>((n * (7 + 2 * salt) + n * n * 3 + salt) % 11 - 5);
  }
  return tensor;
}

struct Sweep {
  const char* route;  // of the host executor; empty: its own choice
  std::vector<std::int64_t> extents;
};

class TwoOperandSweep : public ::testing::TestWithParam<Sweep> {};

TEST_P(TwoOperandSweep, EveryStringEqualsTheOracle) {
  const auto& [route, extents] = GetParam();
  const host::HostExecutor executor(host::HostOptions{.route = route, .kernel = {}});
  std::int64_t checked = 0;
  std::int64_t wrong = 0;
  for_each_pair_of_terms([&](const std::string& term_a, const std::string& term_b, int used) {
    const Tensor a = operand(term_a, extents, 1);
    const Tensor b = operand(term_b, extents, 2);
    const std::vector<TensorView> views{a, b};
    const std::vector<Shape> shapes{a.shape(), b.shape()};
    for_each_output(used, [&](const std::string& output) {
      const std::string text = term_a + "," + term_b + "->" + output;
      const Tensor expected = reference::einsum(parse_spec(text, shapes), views);
      const Tensor actual = einsum(text, views, {.executor = &executor});
      ++checked;
      if (actual.shape() == expected.shape() && actual.to_vector<double>() == expected.to_vector<double>()) return;
      if (++wrong <= 10) ADD_FAILURE() << text << " is wrong on route \"" << route << "\"";
    });
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(checked, kExpectedStrings);
}

INSTANTIATE_TEST_SUITE_P(Extents, TwoOperandSweep,
                         ::testing::Values(Sweep{"", {3, 3, 3, 3}}, Sweep{"", {2, 3, 4, 5}}, Sweep{"", {5, 1, 2, 3}},
                                           Sweep{"gemm", {3, 3, 3, 3}}, Sweep{"gemm", {2, 3, 4, 5}},
                                           Sweep{"nest", {3, 3, 3, 3}}, Sweep{"nest", {2, 3, 4, 5}}));

}  // namespace
}  // namespace trntensor
