// Blocks are as small as the formula allows, whichever side its labels stand on.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/host/epilogue_blocks.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::sum;
using testing::expect_error;

/// x[b,i,j] divided by its sum over b, which a block therefore has all values of.
EpilogueResults run_normalised(std::int64_t memory_limit) {
  const Tensor a = Tensor::full({64, 256, 8}, 0.5, DType::kFloat64);
  const Tensor b = Tensor::full({64, 8, 256}, 0.5, DType::kFloat64);
  const std::vector<TensorView> operands{a, b};
  const std::vector<Expression> formula{element() / sum("b", element())};
  EpilogueOptions options{.num_threads = 1};
  if (memory_limit > 0) options.memory_limit = memory_limit;
  return einsum_with_epilogues("bik,bkj->bij", operands, formula, {}, options);
}

TEST(EpilogueBlocks, ABatchLabelThatIsReducedInsideLeavesThemSmall) {
  EXPECT_LE(run_normalised(0).block_bytes, cpu_info().l2_bytes / 2);
  const EpilogueResults least = run_normalised(64 * 8);
  EXPECT_EQ(least.block_bytes, 64 * 8);
  EXPECT_EQ(least.tensors[0].at<double>({63, 255, 255}), 1.0 / 64);
  for (const std::int64_t limit : {511, 100, 1}) {
    expect_error(ErrorKind::kOutOfMemory, {"(512 bytes)", "grant at least 512 bytes"}, [&] { run_normalised(limit); });
  }
}

/// A product with a few labels on each side, and rules as formulas make them.
struct Drawn {
  StepProblem product;
  host::BlockRules rules;
  std::int64_t whole_elements = 1;
};

Drawn draw(Random& random) {
  Drawn drawn;
  drawn.product.b.emplace();
  const bool is_mirrored = random.integer(0, 1) == 1;
  const auto add = [&](Label label, std::int64_t extent, bool in_a, bool in_b, bool is_whole) {
    const Axis axis{label, extent, 0};
    if (in_a) drawn.product.a.axes.push_back(axis);
    if (in_b) drawn.product.b->axes.push_back(axis);
    drawn.product.out.axes.push_back(axis);
    if (!is_whole) return;
    drawn.rules.whole.push_back(label);
    drawn.whole_elements *= extent;
  };
  Label label = 0;
  for (std::int64_t k = random.integer(1, 4); k > 0; --k) {
    const std::int64_t extent = random.integer(1, 200);
    const bool is_whole = random.integer(0, 2) == 0;
    const auto side = random.integer(0, 2);
    // Labels that change places are one on each side, or two that both operands have.
    const bool is_pair = is_mirrored && random.integer(0, 1) == 1;
    add(label, extent, side != 1 || is_pair, side == 0 || (side == 1 && !is_pair), is_whole);
    if (is_pair) {
      add(label + 1, extent, side == 0, true, is_whole);
      drawn.rules.exchange.emplace_back(label, label + 1);
    }
    label += 2;
  }
  drawn.rules.most_elements = random.integer(1, 200000);
  return drawn;
}

TEST(EpilogueBlocks, AreNeverLargerThanAskedUnlessWholeLabelsAre) {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    Random random(seed);
    const Drawn drawn = draw(random);
    const host::BlockGrid grid = host::choose_blocks(drawn.product, drawn.rules);
    ASSERT_LE(grid.block_elements(), std::max(drawn.rules.most_elements, drawn.whole_elements)) << "seed " << seed;
    ASSERT_EQ(grid.block_elements() % drawn.whole_elements, 0) << "seed " << seed;
    for (const auto& [first, second] : drawn.rules.exchange) {
      ASSERT_EQ(grid.axes()[grid.axis_of(first)].edge, grid.axes()[grid.axis_of(second)].edge) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace trntensor
