// Text to tokens: letters, commas, ellipses, arrows.
#pragma once

#include <cstdint>
#include <string_view>

#include "trntensor/einsum/notation.hpp"

namespace trntensor::notation {

enum class TokenKind : std::uint8_t { kLetter, kComma, kEllipsis, kArrow, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  char32_t letter = 0;
  Span span;
};

/// Gives out the tokens of a text one by one, then kEnd. Blanks between tokens are skipped.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) noexcept : text_(text) {}

  /// Throws InvalidArgument for what is no token, pointing at it.
  Token next();

 private:
  Token take(TokenKind kind, std::size_t bytes, char32_t letter = 0) noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
  char32_t previous_letter_ = 0;
};

}  // namespace trntensor::notation
