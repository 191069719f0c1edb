// Where the caret stands, in columns of a terminal.
#include <gtest/gtest.h>

#include <string>

#include "trntensor/einsum/diagnostics.hpp"

namespace trntensor::notation {
namespace {

TEST(Caret, StandsUnderTheCulpritWithTildesUnderItsRest) {
  EXPECT_EQ(point_at("ij,jk->iz", {8, 9}), "  ij,jk->iz\n          ^");
  EXPECT_EQ(point_at("ij,jkl->i", {3, 6}), "  ij,jkl->i\n     ^~~");
}

TEST(Caret, StandsBehindTheTextForSomethingThatIsMissing) {
  EXPECT_EQ(point_at("ij", {2, 2}), "  ij\n    ^");
  EXPECT_EQ(point_at("", {0, 0}), "  \"\" (empty)");
}

TEST(Caret, CountsWideLettersAsTwoColumnsAndMarksAsNone) {
  EXPECT_EQ(point_at("漢字,z", {7, 8}), "  漢字,z\n       ^");
  EXPECT_EQ(point_at("漢字", {3, 6}), "  漢字\n    ^~");
  EXPECT_EQ(point_at("e\u0301z", {3, 4}), "  e\u0301z\n   ^");
  EXPECT_EQ(point_at("ze\u0301", {2, 4}), "  ze\u0301\n   ^") << "a mark is drawn over the letter before it";
}

TEST(Caret, ShowsWhatWouldMoveTheCursorAsOneColumn) {
  EXPECT_EQ(point_at("i\tj", {2, 3}), "  i␉j\n    ^");
  EXPECT_EQ(point_at("i\nj", {1, 2}), "  i␊j\n   ^");
  EXPECT_EQ(point_at(std::string_view("i\0j", 3), {2, 3}), "  i␀j\n    ^");
  EXPECT_EQ(point_at("i\u202ej", {4, 5}), "  i\ufffdj\n    ^") << "a right-to-left override";
  EXPECT_EQ(point_at("i\xff\xfej", {3, 4}), "  i\ufffd\ufffdj\n     ^");
}

TEST(Caret, ShowsAWholeLineWhenItFits) {
  const std::string text(76, 'a');
  EXPECT_EQ(point_at(text, {70, 71}), "  " + text + "\n  " + std::string(70, ' ') + "^");
}

// The line is shown between two cut marks, 36 columns before the culprit and 40 from it on.
TEST(Caret, CutsALongTextOnBothSides) {
  const std::string text = std::string(1000, 'a') + "?" + std::string(1000, 'b');
  const std::string expected =
      "  …" + std::string(36, 'a') + "?" + std::string(39, 'b') + "…\n  " + std::string(37, ' ') + "^";
  EXPECT_EQ(point_at(text, {1000, 1001}), expected);
}

TEST(Caret, CutsALongTextOnOneSide) {
  const std::string text = "?" + std::string(1000, 'b');
  EXPECT_EQ(point_at(text, {0, 1}), "  ?" + std::string(39, 'b') + "…\n  ^");
  const std::string other = std::string(1000, 'a') + "?";
  EXPECT_EQ(point_at(other, {1000, 1001}), "  …" + std::string(36, 'a') + "?\n  " + std::string(37, ' ') + "^");
  EXPECT_EQ(point_at(other, {0, 1001}).size(), std::string("  ").size() + 40 + std::string("…\n  ").size() + 40);
}

TEST(Caret, CutsBetweenCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "漢";
  std::string line = "  …";
  for (int i = 0; i < 38; ++i) line += "漢";
  EXPECT_EQ(point_at(text, {750, 753}), line + "…\n  " + std::string(37, ' ') + "^~");
}

TEST(Caret, ManyMarksDoNotMakeALongLine) {
  std::string text = "a";
  for (int i = 0; i < 100000; ++i) text += "\u0301";
  EXPECT_LT(point_at(text, {100001, 100003}).size(), 2500u);
}

}  // namespace
}  // namespace trntensor::notation
