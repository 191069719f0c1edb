// Products by runs of elements against the obvious loops: random layouts and types, extents at the edges of blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/host/step_types.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/nest_step.hpp"

namespace trntensor::testing {
namespace {

using enum LabelKind;

// Labels of every kind that a step of two operands can have.
constexpr LabelKind kKinds[] = {kBatch, kM, kN, kK, kK, kRepeat};

class NestTypes : public ::testing::TestWithParam<NamedTypes> {};

TEST_P(NestTypes, AgreeWithTheObviousLoopsOnRandomLayouts) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<StepLabel> labels = random_labels(kKinds, random);
    const MemoryKind memory = random.integer(0, 2) == 0 ? MemoryKind::kPacked : MemoryKind::kAny;
    RandomStep step = make_step(labels, GetParam().types, memory, random);
    step.scale = random_scale(GetParam().types.accumulator, random);
    const RunContext context{static_cast<int>(random.integer(1, 2)), {}};
    ASSERT_TRUE(run_and_match(*host::prepare_nest(host::classify(step.problem)), step, context)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NestTypes, ::testing::ValuesIn(all_step_types()),
                         [](const auto& instance) { return instance.param.name; });

class NestKernels : public ::testing::TestWithParam<std::string> {};

TEST_P(NestKernels, AgreeWithTheObviousLoops) {
  for (const NamedTypes& named : all_step_types()) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      Random random(1000 + seed);
      RandomStep step = make_step(random_labels(kKinds, random), named.types, MemoryKind::kAny, random);
      ASSERT_TRUE(run_and_match(*host::prepare_nest(host::classify(step.problem), GetParam()), step))
          << named.name << " seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NestKernels, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace trntensor::testing
