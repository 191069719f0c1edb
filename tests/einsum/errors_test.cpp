// One misuse of the notation a case: the words of the message, and the column of the caret.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

struct Misuse {
  const char* name;
  const char* text;
  std::vector<Shape> shapes;
  std::vector<const char*> fragments;
  int column;  ///< of the caret in the text, counted from 0; -1: not checked
};

class NotationErrors : public ::testing::TestWithParam<Misuse> {};

/// Column of the first line that begins with a caret; the text stands above it, both indented by two.
int caret_column(const std::string& message) {
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line[first] == '^') return static_cast<int>(first) - 2;
  }
  return -1;
}

TEST_P(NotationErrors, NamesTheCulpritAndPointsAtIt) {
  const Misuse& misuse = GetParam();
  try {
    parse_spec(misuse.text, misuse.shapes);
    FAIL() << "accepted";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    for (const char* fragment : misuse.fragments) EXPECT_NE(message.find(fragment), std::string::npos) << message;
    EXPECT_NE(message.find("\nfix: "), std::string::npos) << message;
    if (misuse.column >= 0) {
      EXPECT_EQ(caret_column(message), misuse.column) << message;
    }
  }
}

const std::vector<Shape> kTwo{{2, 3}, {3, 4}};

INSTANTIATE_TEST_SUITE_P(
    All, NotationErrors,
    ::testing::Values(
        Misuse{"Digit", "i1,1k->ik", kTwo, {"'1'", "letter"}, 1}, Misuse{"Underscore", "i_,_k->ik", kTwo, {"'_'"}, 1},
        Misuse{"Tab", "ij,\tjk->ik", kTwo, {"U+0009", "blanks"}, 3},
        Misuse{"Newline", "ij,\njk->ik", kTwo, {"U+000A"}, 3},
        Misuse{"BlankInArrow", "ij,jk - > ik", kTwo, {"stray '-'"}, 6},
        Misuse{"LoneGreater", "ij,jk>ik", kTwo, {"stray '>'"}, 5},
        Misuse{"SecondArrow", "ij,jk->ik->ki", kTwo, {"second arrow"}, 9},
        Misuse{"CommaInOutput", "ij,jk->i,k", kTwo, {"comma"}, 8},
        Misuse{"TwoDots", "..ij,jk", kTwo, {"stray '.'", "three dots"}, 0},
        Misuse{"SplitEllipsis", ". ..ij,jk", kTwo, {"stray '.'"}, 0},
        Misuse{"SecondEllipsis", "...i...,jk", kTwo, {"second ellipsis"}, 4},
        Misuse{"EllipsisCharacter", "…ij,jk", kTwo, {"three dots"}, 0},
        Misuse{"ArrowCharacter", "ij,jk→ik", kTwo, {"->"}, 5},
        Misuse{"CombiningMark", "i\u0301j,jk", kTwo, {"one character", "í"}, -1},
        Misuse{"InvalidUtf8", "ij,j\xff->ik", kTwo, {"UTF-8", "byte 4", "0xff"}, -1},
        Misuse{"UnknownOutputLabel", "ij,jk->iz", kTwo, {"'z'", "i, j, k"}, 8},
        Misuse{"OtherCase", "ij,jk->iK", kTwo, {"'K'", "did you mean 'k'"}, 8},
        Misuse{"RepeatedOutputLabel", "ij,jk->ii", kTwo, {"'i'", "repeated"}, 8},
        Misuse{"TooManyTerms", "ij,jk,kl->il", kTwo, {"3 operand terms", "2 operands"}, 6},
        Misuse{"TooFewTerms", "ij->ij", kTwo, {"1 operand term", "2 operands"}, 2},
        Misuse{"TermTooShort", "ij,k->ik", kTwo, {"operand 1", "2 axes", "1 label", "(3, 4)"}, 3},
        Misuse{"TermTooLong", "ijx,jk->ik", kTwo, {"operand 0", "3 labels"}, 0},
        Misuse{"EllipsisNeedsAxes", "...ijk,jk->ik", kTwo, {"operand 0", "at least 3 labels"}, 0},
        Misuse{"TwoSizes", "ij,ik->jk", kTwo, {"'i'", "2", "3", "operand 0", "operand 1"}, 3},
        Misuse{"DiagonalOfOneAndN", "ii->i", {{3, 1}}, {"'i'", "operand 0", "3", "1"}, 1},
        Misuse{"EllipsisClash", "...,...->...", {{2, 3}, {2, 4}}, {"ellipsis", "3", "4"}, -1},
        Misuse{"NegativeExtent", "ij", {{2, -1}}, {"negative", "-1"}, -1},
        Misuse{"ResultTooLarge", "i,j->ij", {{std::int64_t{1} << 32}, {std::int64_t{1} << 32}}, {"2^63"}, -1},
        Misuse{"NoOperands", "ij", {}, {"no operands"}, -1},
        Misuse{"Empty", "", {{2}}, {"operand 0", "1 axis", "0 labels"}, -1}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(NotationErrors, CaretCountsColumnsNotBytes) {
  const std::vector<Shape> shapes{{2, 3}, {3, 4}};
  try {
    parse_spec("αβ,βγ->αω", shapes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(caret_column(error.what()), 8) << error.what();
  }
}

TEST(NotationErrors, LongTextsAreCutAroundTheCulprit) {
  const std::string text = std::string(5000, 'a') + "1" + std::string(5000, 'b');
  try {
    parse_spec(text, std::vector<Shape>{{1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 600U);
    EXPECT_NE(std::string(error.what()).find("a1b"), std::string::npos);
  }
}

}  // namespace
}  // namespace trntensor
