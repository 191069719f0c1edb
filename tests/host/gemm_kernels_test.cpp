// Every kernel of the table this CPU runs x every combination of types, against the obvious loops.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/host/step_types.hpp"
#include "trntensor/host/gemm_step.hpp"
#include "trntensor/host/kernels/table.hpp"

namespace trntensor::testing {
namespace {

struct KernelCase {
  std::string instruction_set;
  NamedTypes types;

  friend std::ostream& operator<<(std::ostream& stream, const KernelCase& test) {
    return stream << test.instruction_set << ' ' << test.types;
  }
};

std::vector<KernelCase> all_cases() {
  std::vector<KernelCase> cases;
  for (const std::string& set : host_kernel_names()) {
    for (const NamedTypes& types : all_step_types()) {
      // For all other types it has the kernels of the next set.
      if (set == "avx512_bf16" && types.types.a != DType::kBFloat16) continue;
      cases.push_back({set, types});
    }
  }
  return cases;
}

bool has_infinity(const StepTypes& types) {
  return (is_floating(types.accumulator) || is_complex(types.accumulator)) && types.a != DType::kFloat8E4M3FN;
}

std::vector<KernelCase> cases_with_infinity() {
  std::vector<KernelCase> cases = all_cases();
  std::erase_if(cases, [](const KernelCase& test) { return !has_infinity(test.types.types); });
  return cases;
}

class GemmKernel : public ::testing::TestWithParam<KernelCase> {
 protected:
  void SetUp() override {
    const StepTypes& types = GetParam().types.types;
    const host::GemmKernel& kernel =
        host::choose_gemm_kernel(host::kernel_dtype(types.accumulator), types.compensated, GetParam().instruction_set);
    mr_ = kernel.functions.mr;
    nr_ = kernel.functions.nr;
  }

  ::testing::AssertionResult check(RandomStep& step) const {
    return run_and_match(*host::prepare_gemm(host::classify(step.problem), GetParam().instruction_set), step);
  }

  std::int64_t mr_ = 0;
  std::int64_t nr_ = 0;
};

/// Exchanges the order of the two axes in memory.
void transpose(OperandLayout& layout) {
  const Axis first = layout.axes[0];
  layout.axes[0].stride = layout.axes[1].extent == 0 ? 0 : 1;
  layout.axes[1].stride = first.extent;
}

TEST_P(GemmKernel, MatchesLoopsAtTheEdgesOfTiles) {
  Random random(1);
  for (const std::int64_t m : {std::int64_t{1}, mr_ - 1, mr_, mr_ + 1, 2 * mr_ + 1}) {
    for (const std::int64_t n : {std::int64_t{1}, nr_ - 1, nr_, nr_ + 1, 2 * nr_ + 1}) {
      for (const std::int64_t k : {0, 1, 2, 3, 17, 20}) {
        for (int layout = 0; layout < 8; ++layout) {
          if (random.integer(0, 5) != 0) continue;
          RandomStep step = make_step({{LabelKind::kM, m}, {LabelKind::kN, n}, {LabelKind::kK, k}},
                                      GetParam().types.types, MemoryKind::kPacked, random);
          if ((layout & 1) != 0) transpose(step.problem.a);
          if ((layout & 2) != 0) transpose(*step.problem.b);
          if ((layout & 4) != 0) transpose(step.problem.out);
          step.scale = random_scale(step.problem.accumulator, random);
          ASSERT_TRUE(check(step)) << "m " << m << ", n " << n << ", k " << k << ", layout " << layout;
        }
      }
    }
  }
}

TEST_P(GemmKernel, MatchesLoopsForRandomLabelsAndStrides) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    constexpr LabelKind kKinds[] = {LabelKind::kBatch, LabelKind::kM, LabelKind::kN, LabelKind::kK, LabelKind::kRepeat};
    std::vector<StepLabel> labels;
    std::int64_t points = 1;
    for (std::int64_t count = random.integer(0, 7); count > 0; --count) {
      const std::int64_t choices[] = {1, 2, 3, 5, 7, 11, mr_, nr_, nr_ + 1};
      std::int64_t extent = random.integer(0, 49) == 0 ? 0 : choices[random.integer(0, 8)];
      if (points * extent > 20000) extent = 1;
      points *= std::max<std::int64_t>(1, extent);
      labels.push_back({kKinds[random.integer(0, random.integer(0, 5) == 0 ? 4 : 3)], extent});
    }
    RandomStep step = make_step(labels, GetParam().types.types, MemoryKind::kAny, random);
    step.scale = random_scale(step.problem.accumulator, random);
    ASSERT_TRUE(check(step)) << "seed " << seed;
  }
}

/// An axis of the operand becomes the one with stride 1, the others keep their order.
void make_unit(OperandLayout& layout, std::size_t axis) {
  std::swap(layout.axes[axis], layout.axes.back());
  std::int64_t stride = 1;
  for (std::size_t d = layout.axes.size(); d-- > 0;) {
    layout.axes[d].stride = stride;
    stride *= layout.axes[d].extent;
  }
}

TEST_P(GemmKernel, MatchesLoopsWhereTheUnitStrideLiesAcrossThePanels) {
  Random random(5);
  for (int i = 0; i < 3; ++i) {
    // Extents that boxes divide, nearly divide, and do not divide; large enough to be cut into boxes.
    const std::int64_t wide = i == 0 ? 2 * nr_ : random.integer(30, 70);
    const std::int64_t across = i == 0 ? 16 : random.integer(8, 40);
    const std::int64_t k =
        (std::int64_t{256} << 10) / static_cast<std::int64_t>(size_of(GetParam().types.types.a)) / (wide * across) + 1;
    for (const bool is_b : {false, true}) {
      const LabelKind kind = is_b ? LabelKind::kN : LabelKind::kM;
      const LabelKind other = is_b ? LabelKind::kM : LabelKind::kN;
      RandomStep step = make_step({{other, 3}, {kind, across}, {kind, wide}, {LabelKind::kK, k}},
                                  GetParam().types.types, MemoryKind::kPacked, random);
      make_unit(is_b ? *step.problem.b : step.problem.a, 0);
      step.scale = random_scale(step.problem.accumulator, random);
      ASSERT_TRUE(check(step)) << across << " across, " << wide << " wide, k " << k << (is_b ? ", b" : ", a");
    }
  }
}

TEST_P(GemmKernel, MatchesLoopsWithAPackedForManyColumns) {
  Random random(6);
  RandomStep step = make_step({{LabelKind::kM, 2 * mr_ + 1}, {LabelKind::kN, 25 * nr_ + 3}, {LabelKind::kK, 19}},
                              GetParam().types.types, MemoryKind::kAny, random);
  step.scale = random_scale(step.problem.accumulator, random);
  ASSERT_TRUE(check(step));
}

TEST_P(GemmKernel, CarriesSumsOverBlocksOfK) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    Random random(seed);
    RandomStep step = make_step({{LabelKind::kM, mr_ + 1}, {LabelKind::kN, nr_ + 1}, {LabelKind::kK, 1100}},
                                GetParam().types.types, seed == 0 ? MemoryKind::kPacked : MemoryKind::kAny, random);
    if (step.problem.out.dtype == DType::kFloat8E4M3 || step.problem.out.dtype == DType::kFloat8E4M3FN) {
      step.scale.alpha = 0.0625;  // else the sums overflow
    } else {
      step.scale = random_scale(step.problem.accumulator, random);
    }
    ASSERT_TRUE(check(step)) << "seed " << seed;
  }
}

TEST_P(GemmKernel, DoesNotReadOutWhenBetaIsZero) {
  Random random(3);
  RandomStep step = make_step({{LabelKind::kM, mr_ + 1}, {LabelKind::kN, 2 * nr_ + 1}, {LabelKind::kK, 9}},
                              GetParam().types.types, MemoryKind::kPacked, random);
  std::fill(step.out.bytes.begin(), step.out.bytes.end(), std::byte{0xff});  // NaN in every floating type
  EXPECT_TRUE(check(step));
}

class GemmKernelOfFloats : public GemmKernel {};

TEST_P(GemmKernelOfFloats, PropagatesNanAndInfinity) {
  const StepTypes& types = GetParam().types.types;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    RandomStep step = make_step({{LabelKind::kM, mr_ + 1}, {LabelKind::kN, nr_ + 1}, {LabelKind::kK, 5}}, types,
                                MemoryKind::kAny, random);
    fill(step.a, types.a, random, true);
    fill(step.b, types.b, random, true);
    fill(step.out, types.out, random, true);
    step.scale.beta = seed % 2 == 0 ? 0.0 : 0.5;
    ASSERT_TRUE(check(step)) << "seed " << seed;
  }
}

std::string name_of(const ::testing::TestParamInfo<KernelCase>& test) {
  return test.param.instruction_set + "_" + test.param.types.name;
}

INSTANTIATE_TEST_SUITE_P(Table, GemmKernel, ::testing::ValuesIn(all_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Table, GemmKernelOfFloats, ::testing::ValuesIn(cases_with_infinity()), name_of);

}  // namespace
}  // namespace trntensor::testing
