// What correct notation means.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/common/random_spec.hpp"
#include "trntensor/einsum/spec.hpp"

namespace trntensor {
namespace {

Spec parse(std::string_view text, const std::vector<Shape>& shapes) { return parse_spec(text, shapes); }

std::string output_names(const Spec& spec) {
  std::string names;
  for (const Label label : spec.output) names += spec.names[static_cast<std::size_t>(label)];
  return names;
}

TEST(ParseSpec, ExplicitOutputKeepsItsOrder) {
  const Spec spec = parse("ij,jk->ki", {{2, 3}, {3, 4}});
  EXPECT_EQ(spec.axes, (std::vector<Labels>{{0, 1}, {1, 2}}));
  EXPECT_EQ(spec.inputs, spec.axes);
  EXPECT_EQ(spec.output, (Labels{2, 0}));
  EXPECT_EQ(spec.extents, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(spec.output_shape(), (Shape{4, 2}));
}

TEST(ParseSpec, ImplicitOutputIsSortedByCodePointAndCountsUses) {
  EXPECT_EQ(output_names(parse("kj,ji", {{2, 3}, {3, 4}})), "ik");
  EXPECT_EQ(output_names(parse("ba", {{2, 3}})), "ab");
  EXPECT_EQ(output_names(parse("aB", {{2, 3}})), "Ba");
  EXPECT_EQ(output_names(parse("éz,zα", {{2, 3}, {3, 4}})), "éα");
  EXPECT_EQ(output_names(parse("ii", {{3, 3}})), "");
  EXPECT_EQ(output_names(parse("iij", {{3, 3, 2}})), "j");
  EXPECT_EQ(output_names(parse("i,i,i", {{3}, {3}, {3}})), "");
}

TEST(ParseSpec, EllipsisIsRightAlignedAndBroadcasts) {
  const Spec spec = parse("...ij,...jk", {{5, 1, 2, 3}, {7, 3, 4}});
  EXPECT_EQ(spec.output_shape(), (Shape{5, 7, 2, 4}));
  EXPECT_EQ(spec.broadcast[0], (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(output_names(parse("a...b", {{2, 3, 4}})), "...0ab");
  EXPECT_EQ(parse("i...->i", {{2, 3, 4}}).output_shape(), (Shape{2}));
  EXPECT_EQ(parse("ij->...ij", {{2, 3}}).output_shape(), (Shape{2, 3}));
  EXPECT_EQ(parse("...i->...i", {{2}}).output_shape(), (Shape{2}));
}

TEST(ParseSpec, DiagonalsAndBroadcastAxes) {
  const Spec spec = parse("iij,jk->ik", {{3, 3, 1}, {5, 2}});
  EXPECT_EQ(spec.axes[0], (Labels{0, 0, 1}));
  EXPECT_EQ(spec.inputs[0], (Labels{0}));
  EXPECT_EQ(spec.broadcast[0], (std::vector<bool>{false, false, true}));
  EXPECT_EQ(spec.extents, (std::vector<std::int64_t>{3, 5, 2}));
}

TEST(ParseSpec, ExtentZeroWinsOverOne) { EXPECT_EQ(parse("i,i->i", {{1}, {0}}).output_shape(), (Shape{0})); }

TEST(ParseSpec, RankZeroOperands) {
  EXPECT_EQ(parse(",i->i", {{}, {3}}).output_shape(), (Shape{3}));
  EXPECT_EQ(parse("->", {{}}).output_shape(), Shape{});
  EXPECT_EQ(parse("", {{}}).output_shape(), Shape{});
}

TEST(ParseSpec, BlanksBetweenSymbolsMeanNothing) {
  EXPECT_EQ(parse("  i j , j k -> i k ", {{2, 3}, {3, 4}}), parse("ij,jk->ik", {{2, 3}, {3, 4}}));
}

TEST(ParseSpec, LettersOfAnyScriptAreLabels) {
  EXPECT_EQ(output_names(parse("αж,ж字->字α", {{2, 3}, {3, 4}})), "字α");
  EXPECT_EQ(output_names(parse("אß->ßא", {{2, 3}})), "ßא");
}

TEST(ParseSpec, MoreLabelsThanTheAlphabetHas) {
  std::string text;
  Shape shape;
  for (char32_t letter = 0x4e00; letter < 0x4e00 + 60; ++letter) {
    text += {static_cast<char>(0xe0 | (letter >> 12)), static_cast<char>(0x80 | ((letter >> 6) & 0x3f)),
             static_cast<char>(0x80 | (letter & 0x3f))};
    shape.push_back(1);
  }
  EXPECT_EQ(parse(text + "->", {shape}).names.size(), 60U);
}

TEST(SpecToString, ParsesBackToTheSameSpec) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const testing::RandomSpec random = testing::random_spec(seed);
    const Spec spec = random.parse();
    ASSERT_EQ(parse_spec(spec.to_string(), random.shapes), spec) << random << " printed as " << spec.to_string();
  }
}

TEST(ParseSpec, ThousandsOfOperands) {
  constexpr std::int64_t kOperands = 3000;
  std::vector<std::vector<std::int64_t>> labels;
  const std::vector<Shape> shapes(kOperands, Shape{2, 2});
  for (std::int64_t i = 0; i < kOperands; ++i) labels.push_back({i, i + 1});
  const Spec spec = make_spec(labels, std::vector<std::int64_t>{0, kOperands}, shapes);
  EXPECT_EQ(spec.extents.size(), static_cast<std::size_t>(kOperands) + 1);
  EXPECT_EQ(spec.output_shape(), (Shape{2, 2}));
}

}  // namespace
}  // namespace trntensor
