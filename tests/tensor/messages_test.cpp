// Text out of files in messages.
#include "trntensor/tensor/messages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace trntensor::io {
namespace {

TEST(Messages, ControlCharactersAreReplaced) {
  EXPECT_EQ(printable("eri"), "eri");
  EXPECT_EQ(printable(std::string_view("a\0\x1b[31m\x7f\n", 9)), "a??[31m??");
  EXPECT_EQ(printable("\u03b1\u03b2"), "\u03b1\u03b2");
}

TEST(Messages, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(printable(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(printable(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(printable(std::string(59, 'x') + "\u03b1"), std::string(59, 'x') + "...");
}

TEST(Messages, LongListsOfNamesAreCut) {
  EXPECT_EQ(name_list({}), "there are no tensors in it");
  const std::vector<std::string> two{"a", "b\n"};
  EXPECT_EQ(name_list(two), "it has a, b?");
  const std::vector<std::string> many(35, "x");
  EXPECT_TRUE(name_list(many).ends_with("x, x and 5 more"));
}

}  // namespace
}  // namespace trntensor::io
