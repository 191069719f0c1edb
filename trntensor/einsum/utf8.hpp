// What the notation needs to know of Unicode: decoding, letters, and how wide a character is on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trntensor::notation {

/// One character of a UTF-8 text. Where the bytes are no UTF-8, `valid` is false and `bytes` is 1.
struct Decoded {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = true;
};

/// The character that begins at byte `at` < text.size().
Decoded decode_at(std::string_view text, std::size_t at) noexcept;

/// The UTF-8 form of a code point.
std::string encode(char32_t code);

/// Unicode categories Lu, Ll, Lt, Lm and Lo.
bool is_letter(char32_t code) noexcept;

/// Unicode categories Mn, Mc and Me: accents that join the character before them.
bool is_mark(char32_t code) noexcept;

/// True for a letter that is written from left to right, so that texts that we make up read in their own order.
bool is_left_to_right_letter(char32_t code) noexcept;

/// The one character that `base` and the mark after it make, or 0 when there is none.
char32_t compose(char32_t base, char32_t mark) noexcept;

/// The same letter in the other case, or the letter itself.
char32_t other_case(char32_t code) noexcept;

/// What a terminal shows for a character, and on how many columns (0 for marks, 2 for wide letters). Characters that
/// would move the cursor or reorder the line are replaced by a picture of one column.
struct Glyph {
  std::string text;
  int columns = 1;
};
Glyph glyph(const Decoded& character);

}  // namespace trntensor::notation
