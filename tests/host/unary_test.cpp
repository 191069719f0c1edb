// Steps of one operand against the obvious loops: random layouts and types, extents at the edges of blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/host/step_types.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/unary_step.hpp"

namespace trntensor::testing {
namespace {

using enum LabelKind;

RandomStep make_unary_step(const std::vector<StepLabel>& labels, const StepTypes& types, MemoryKind memory,
                           Random& random) {
  RandomStep step = make_step(labels, types, memory, random);
  step.problem.b.reset();
  step.scale = random_scale(types.accumulator, random);
  return step;
}

// Labels of every kind that a step of one operand can have.
constexpr LabelKind kKinds[] = {kM, kM, kM, kSumA, kSumA, kRepeat};

class UnaryTypes : public ::testing::TestWithParam<NamedTypes> {};

TEST_P(UnaryTypes, AgreeWithTheObviousLoopsOnRandomLayouts) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<StepLabel> labels = random_labels(kKinds, random);
    const MemoryKind memory = random.integer(0, 2) == 0 ? MemoryKind::kPacked : MemoryKind::kAny;
    RandomStep step = make_unary_step(labels, GetParam().types, memory, random);
    const RunContext context{static_cast<int>(random.integer(1, 2)), {}};
    ASSERT_TRUE(run_and_match(*host::prepare_unary(step.problem), step, context)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnaryTypes, ::testing::ValuesIn(all_step_types()),
                         [](const auto& instance) { return instance.param.name; });

class UnaryKernels : public ::testing::TestWithParam<std::string> {};

// Sums and transposes of every kind on every instruction set this CPU has.
TEST_P(UnaryKernels, AgreeWithTheObviousLoops) {
  for (const NamedTypes& named : all_step_types()) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      Random random(1000 + seed);
      const std::vector<StepLabel> labels = random_labels(kKinds, random);
      RandomStep step = make_unary_step(labels, named.types, MemoryKind::kAny, random);
      ASSERT_TRUE(run_and_match(*host::prepare_unary(step.problem, GetParam()), step))
          << named.name << " seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnaryKernels, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace trntensor::testing
