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

std::int64_t random_extent(Random& random) {
  constexpr std::int64_t kExtents[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 33, 64, 65, 127};
  return kExtents[random.integer(0, 19)];
}

// Labels of every kind that a classified step can have.
std::vector<StepLabel> random_labels(Random& random) {
  std::vector<StepLabel> labels(static_cast<std::size_t>(random.integer(0, 8)));
  const double most = random.integer(0, 9) == 0 ? 20000 : 2000;
  double points = 1;
  for (StepLabel& label : labels) {
    label.kind = std::vector{kBatch, kM, kN, kK, kK, kRepeat}[static_cast<std::size_t>(random.integer(0, 5))];
    label.extent = random_extent(random);
    if (points * static_cast<double>(label.extent) > most) label.extent = random.integer(1, 2);
    points *= std::max(1.0, static_cast<double>(label.extent));
  }
  return labels;
}

class NestTypes : public ::testing::TestWithParam<NamedTypes> {};

TEST_P(NestTypes, AgreeWithTheObviousLoopsOnRandomLayouts) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const std::vector<StepLabel> labels = random_labels(random);
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
      RandomStep step = make_step(random_labels(random), named.types, MemoryKind::kAny, random);
      ASSERT_TRUE(run_and_match(*host::prepare_nest(host::classify(step.problem), GetParam()), step))
          << named.name << " seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NestKernels, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace trntensor::testing
