#include "trntensor/einsum/tokens.hpp"

#include <fmt/format.h>

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/utf8.hpp"

namespace trntensor::notation {
namespace {

constexpr std::string_view kArrow = "->";
constexpr std::string_view kDots = "...";

std::string fix_for_mark(char32_t letter_before, char32_t mark) {
  const char32_t composed = letter_before == 0 ? 0 : compose(letter_before, mark);
  if (!is_letter(composed)) return "labels are single letters without marks of their own";
  return fmt::format("write the letter and its accent as one character, '{}' (U+{:04X})", encode(composed),
                     static_cast<std::uint32_t>(composed));
}

// What was probably meant by a character that has no meaning here.
std::string fix_for(char32_t code, char32_t letter_before) {
  switch (code) {
    case U'\t':
    case U'\n':
    case U'\r':
    case 0xA0:
      return "only blanks (U+0020) may stand between symbols";
    case U'→':
    case U'⟶':
    case U'⇒':
    case U'−':
    case U'–':
    case U'—':
    case U'=':
      return "the arrow is written ->";
    case U'…':
      return "an ellipsis is written ..., three dots";
    case U';':
    case U'，':
    case U'、':
    case U'|':
      return "terms are separated by ,";
    default:
      break;
  }
  if (code >= U'0' && code <= U'9') return "labels are letters; numbers are labels in the interleaved form only";
  if (is_mark(code)) return fix_for_mark(letter_before, code);
  return "labels are single letters; besides them only , ... -> and blanks have a meaning";
}

[[noreturn]] void refuse_bytes(std::string_view text, std::size_t at) {
  throw_at(text, {at, at + 1},
           fmt::format("the subscripts are not UTF-8: byte {} is 0x{:02x}", at, static_cast<unsigned char>(text[at])),
           "encode the subscripts as UTF-8");
}

[[noreturn]] void refuse(std::string_view text, std::size_t at, const Decoded& character, char32_t letter_before) {
  const Span culprit{at, at + character.bytes};
  switch (character.code) {
    case U'.':
      throw_at(text, culprit, "stray '.' in the subscripts",
               "an ellipsis is written ..., three dots without blanks between them");
    case U'-':
    case U'>':
      throw_at(text, culprit, fmt::format("stray '{}' in the subscripts", static_cast<char>(character.code)),
               "the arrow is written ->, without a blank between");
    default:
      throw_at(text, culprit, fmt::format("{} in the subscripts is not a letter", describe(character)),
               fix_for(character.code, letter_before));
  }
}

}  // namespace

Token Tokenizer::take(TokenKind kind, std::size_t bytes, char32_t letter) noexcept {
  const Token token{kind, letter, {at_, at_ + bytes}};
  at_ += bytes;
  previous_letter_ = letter;
  return token;
}

Token Tokenizer::next() {
  while (at_ < text_.size() && text_[at_] == ' ') {
    ++at_;
    previous_letter_ = 0;
  }
  if (at_ == text_.size()) return take(TokenKind::kEnd, 0);
  const std::string_view rest = text_.substr(at_);
  if (rest.front() == ',') return take(TokenKind::kComma, 1);
  if (rest.starts_with(kArrow)) return take(TokenKind::kArrow, kArrow.size());
  if (rest.starts_with(kDots)) return take(TokenKind::kEllipsis, kDots.size());
  const Decoded character = decode_at(text_, at_);
  if (!character.valid) refuse_bytes(text_, at_);
  if (!is_letter(character.code)) refuse(text_, at_, character, previous_letter_);
  return take(TokenKind::kLetter, character.bytes, character.code);
}

}  // namespace trntensor::notation
