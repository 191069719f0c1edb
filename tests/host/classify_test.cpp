// Labels into groups: fusion, order, roles, sizes of 0 and 1.
#include "trntensor/host/classify.hpp"

#include <gtest/gtest.h>

#include "tests/host/step_random.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

/// Layout in C order of (label, extent) pairs.
OperandLayout packed(std::initializer_list<std::pair<Label, std::int64_t>> axes) {
  OperandLayout layout;
  for (const auto& [label, extent] : axes) layout.axes.push_back({label, extent, 1});
  std::int64_t stride = 1;
  for (std::size_t d = layout.axes.size(); d-- > 0;) {
    layout.axes[d].stride = stride;
    stride *= layout.axes[d].extent;
  }
  return layout;
}

StepProblem step(const OperandLayout& a, const OperandLayout& b, const OperandLayout& out) {
  StepProblem problem;
  problem.a = a;
  problem.b = b;
  problem.out = out;
  return problem;
}

TEST(Classify, FindsTheFourGroups) {
  const BinaryProblem problem = classify(
      step(packed({{0, 2}, {1, 3}, {2, 5}}), packed({{0, 2}, {2, 5}, {3, 7}}), packed({{0, 2}, {1, 3}, {3, 7}})));
  EXPECT_FALSE(problem.swapped);
  EXPECT_EQ(problem.batch, (Group{{2, 15, 35, 21}}));
  EXPECT_EQ(problem.m, (Group{{3, 5, 0, 7}}));
  EXPECT_EQ(problem.n, (Group{{7, 0, 1, 1}}));
  EXPECT_EQ(problem.k, (Group{{5, 1, 7, 0}}));
  EXPECT_EQ(problem.macs(), 2.0 * 3 * 7 * 5);
}

TEST(Classify, FusesLabelsThatAreOneLoopForEveryOperand) {
  // "ijkl,klmn->ijmn": each pair lies in one piece everywhere.
  const BinaryProblem problem =
      classify(step(packed({{0, 2}, {1, 3}, {2, 4}, {3, 5}}), packed({{2, 4}, {3, 5}, {4, 6}, {5, 7}}),
                    packed({{0, 2}, {1, 3}, {4, 6}, {5, 7}})));
  EXPECT_EQ(problem.m, (Group{{6, 20, 0, 42}}));
  EXPECT_EQ(problem.n, (Group{{42, 0, 1, 1}}));
  EXPECT_EQ(problem.k, (Group{{20, 1, 42, 0}}));
}

TEST(Classify, KeepsLabelsApartThatOneOperandOrdersDifferently) {
  // The result has j before i.
  const BinaryProblem problem =
      classify(step(packed({{0, 2}, {1, 3}, {2, 4}}), packed({{2, 4}, {4, 6}}), packed({{1, 3}, {0, 2}, {4, 6}})));
  EXPECT_EQ(problem.m, (Group{{3, 4, 0, 12}, {2, 12, 0, 6}}));
}

TEST(Classify, FusesNegativeStrides) {
  OperandLayout a = packed({{0, 2}, {1, 3}, {2, 4}});
  a.axes[0].stride = -12;
  a.axes[1].stride = -4;
  OperandLayout out = packed({{0, 2}, {1, 3}, {4, 6}});
  out.axes[0].stride = -18;
  out.axes[1].stride = -6;
  EXPECT_EQ(classify(step(a, packed({{2, 4}, {4, 6}}), out)).m, (Group{{6, -4, 0, -6}}));
}

TEST(Classify, SwapsRolesSoThatTheResultsUnitStrideIsN) {
  OperandLayout out = packed({{4, 6}, {0, 2}});  // column-major result of "ik,kj->ij"
  const BinaryProblem problem = classify(step(packed({{0, 2}, {2, 4}}), packed({{2, 4}, {4, 6}}), out));
  EXPECT_TRUE(problem.swapped);
  EXPECT_EQ(problem.n, (Group{{2, 0, 4, 1}}));
  EXPECT_EQ(problem.m, (Group{{6, 1, 0, 2}}));
}

TEST(Classify, DropsExtentsOfOne) {
  const BinaryProblem problem = classify(
      step(packed({{0, 1}, {2, 4}, {7, 1}}), packed({{2, 4}, {4, 1}, {8, 1}}), packed({{0, 1}, {4, 1}, {9, 1}})));
  EXPECT_TRUE(problem.batch.empty());
  EXPECT_TRUE(problem.m.empty());
  EXPECT_TRUE(problem.n.empty());
  EXPECT_EQ(problem.k_size, 4);
}

TEST(Classify, SizesOfZeroMakeTheirGroupZero) {
  const BinaryProblem no_terms =
      classify(step(packed({{0, 3}, {2, 0}}), packed({{2, 0}, {4, 5}}), packed({{0, 3}, {4, 5}})));
  EXPECT_EQ(no_terms.k_size, 0);
  EXPECT_EQ(no_terms.m_size * no_terms.n_size, 15);
  const BinaryProblem no_rows =
      classify(step(packed({{0, 0}, {2, 4}}), packed({{2, 4}, {4, 5}}), packed({{0, 0}, {4, 5}})));
  EXPECT_EQ(no_rows.m_size * no_rows.n_size, 0);
}

TEST(Classify, RepeatsLabelsOfTheResultAlone) {
  const BinaryProblem problem = classify(step(packed({{2, 4}}), packed({{2, 4}, {4, 6}}), packed({{5, 3}, {4, 6}})));
  EXPECT_EQ(problem.m, (Group{{3, 0, 0, 6}}));
}

TEST(Classify, NamesALabelWithTwoExtents) {
  try {
    classify(step(packed({{0, 2}, {2, 4}}), packed({{2, 5}, {4, 6}}), packed({{0, 2}, {4, 6}})));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("label 2 has extent 4 in one operand and 5 in another"), std::string::npos)
        << error.what();
  }
}

// Beside a loop of extent 0 the others may have any size.
TEST(Classify, DoesNotFuseWhatWouldLeave63Bits) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 32;
  Group group;
  group.push_back({kHalf, kHalf, 0, kHalf});
  group.push_back({kHalf, 1, 0, 1});
  const Group before = group;
  fuse(group);
  EXPECT_EQ(group, before);
  group[0].extent = kHalf / 4;
  fuse(group);
  ASSERT_EQ(group.size(), 1U);
  EXPECT_EQ(group[0], (GroupAxis{kHalf / 4 * kHalf, 1, 0, 1}));
}

TEST(Classify, RefusesSizesOfMoreThan63Bits) {
  OperandLayout a;
  OperandLayout out;
  for (Label label = 0; label < 3; ++label) {
    a.axes.push_back({label, std::int64_t{1} << 22, 0});
    out.axes.push_back({label, std::int64_t{1} << 22, 0});
  }
  EXPECT_THROW(classify(step(a, packed({}), out)), Error);
}

TEST(Classify, EveryGroupReachesTheElementsOfItsLabels) {
  // The offsets that the groups reach are those the labels reach, whatever was fused, ordered and swapped.
  using testing::LabelKind;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    std::vector<testing::StepLabel> labels;
    for (std::int64_t count = random.integer(0, 6); count > 0; --count) {
      constexpr LabelKind kKinds[] = {LabelKind::kBatch, LabelKind::kM, LabelKind::kN, LabelKind::kK};
      labels.push_back({kKinds[random.integer(0, 3)], random.integer(1, 4)});
    }
    const testing::RandomStep random_step = testing::make_step(labels, {}, testing::MemoryKind::kAny, random);
    const BinaryProblem problem = classify(random_step.problem);
    using Point = std::array<std::int64_t, 3>;
    std::vector<Point> by_label;
    testing::detail::for_each_point(testing::detail::step_loops(random_step.problem), 0, 0, 0,
                                    [&](auto a, auto b, auto out) { by_label.push_back({a, b, out}); });
    std::vector<testing::detail::StepLoop> loops;
    for (const Group* group : {&problem.batch, &problem.m, &problem.n, &problem.k}) {
      for (const GroupAxis& axis : *group) loops.push_back({0, axis.extent, axis.a, axis.b, axis.out, true});
    }
    std::vector<Point> by_group;
    testing::detail::for_each_point(loops, 0, 0, 0, [&](auto a, auto b, auto out) {
      if (problem.swapped) std::swap(a, b);
      by_group.push_back({a, b, out});
    });
    std::sort(by_label.begin(), by_label.end());
    std::sort(by_group.begin(), by_group.end());
    ASSERT_EQ(by_label, by_group) << "seed " << seed << ": " << testing::describe(random_step);
  }
}

}  // namespace
}  // namespace trntensor::host
