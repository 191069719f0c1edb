// Which characters are labels, and which letters a Spec is printed with.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/einsum/utf8.hpp"

namespace trntensor {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST(SpecToString, KeepsLettersAndGivesFreeOnesToTheRest) {
  EXPECT_EQ(parse_spec("b...,a...->...", std::vector<Shape>{{2, 3}, {4, 3}}).to_string(), "bc,ac->c");
  EXPECT_EQ(make_spec(std::vector<Numbers>{{-7, 100}}, std::nullopt, std::vector<Shape>{{2, 3}}).to_string(), "ab->ab");
  EXPECT_EQ(parse_spec("", std::vector<Shape>{{}}).to_string(), "->");
}

TEST(SpecToString, FindsLettersForManyLabels) {
  Numbers labels;
  for (std::int64_t i = 0; i < 20000; ++i) labels.push_back(i);
  const Shape shape(labels.size(), 1);
  const Spec spec = make_spec(std::vector<Numbers>{labels}, Numbers{}, std::vector<Shape>{shape});
  EXPECT_EQ(parse_spec(spec.to_string(), std::vector<Shape>{shape}), spec);
}

TEST(SpecToString, HandMadeSpecsWithoutNamesWork) {
  Spec spec = parse_spec("ij,jk->ik", std::vector<Shape>{{2, 3}, {3, 4}});
  spec.names = {"x", "x"};
  EXPECT_EQ(spec.to_string(), "xa,ab->xb");
  spec.names.clear();
  EXPECT_EQ(spec.to_string(), "ab,bc->ac");
}

TEST(Letters, AreUnicodeLettersAndNothingElse) {
  for (const char32_t letter : std::u32string_view(U"azAZéßαжא字ªʰ\U00010400")) {
    EXPECT_TRUE(notation::is_letter(letter)) << static_cast<std::uint32_t>(letter);
  }
  for (const char32_t other : std::u32string_view(U"09_ \t\u0301²٣€\u200b\U0001f600")) {
    EXPECT_FALSE(notation::is_letter(other)) << static_cast<std::uint32_t>(other);
  }
}

TEST(Utf8, RefusesWhatIsNoCharacter) {
  for (const std::string_view bytes : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xf8"}) {
    EXPECT_FALSE(notation::decode_at(bytes, 0).valid);
    EXPECT_EQ(notation::decode_at(bytes, 0).bytes, 1u);
  }
  EXPECT_EQ(notation::decode_at("\xf0\x90\x90\x80", 0).code, char32_t{0x10400});
}

}  // namespace
}  // namespace trntensor
