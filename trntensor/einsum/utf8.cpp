#include "trntensor/einsum/utf8.hpp"

#include <utf8proc.h>

#include <array>

namespace trntensor::notation {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kControlPictures = 0x2400;  // one per ASCII control character
constexpr char32_t kPictureOfDelete = 0x2421;

utf8proc_category_t category(char32_t code) noexcept { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

char32_t visible(const Decoded& character) noexcept {
  const char32_t code = character.code;
  if (!character.valid) return kReplacement;
  if (code < 0x20) return kControlPictures + code;
  if (code == 0x7F) return kPictureOfDelete;
  switch (category(code)) {
    case UTF8PROC_CATEGORY_CN:  // unassigned
    case UTF8PROC_CATEGORY_CC:  // control
    case UTF8PROC_CATEGORY_CF:  // invisible, among them those that reorder the line
    case UTF8PROC_CATEGORY_CS:  // half of a surrogate pair
    case UTF8PROC_CATEGORY_CO:  // private use
    case UTF8PROC_CATEGORY_ZL:  // line separator
    case UTF8PROC_CATEGORY_ZP:  // paragraph separator
      return kReplacement;
    default:
      return code;
  }
}

}  // namespace

Decoded decode_at(std::string_view text, std::size_t at) noexcept {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1, true};
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                                                  static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  if (bytes <= 0) return {kReplacement, 1, false};
  return {static_cast<char32_t>(code), static_cast<std::size_t>(bytes), true};
}

std::string encode(char32_t code) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const utf8proc_ssize_t count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes.data());
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count)};
}

bool is_letter(char32_t code) noexcept {
  if (code < 0x80) return (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z');
  const utf8proc_category_t kind = category(code);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool is_mark(char32_t code) noexcept {
  const utf8proc_category_t kind = category(code);
  return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

bool is_left_to_right_letter(char32_t code) noexcept {
  return is_letter(code) &&
         utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->bidi_class == UTF8PROC_BIDI_CLASS_L;
}

char32_t compose(char32_t base, char32_t mark) noexcept {
  std::array<utf8proc_int32_t, 2> pair{static_cast<utf8proc_int32_t>(base), static_cast<utf8proc_int32_t>(mark)};
  const utf8proc_ssize_t count =
      utf8proc_normalize_utf32(pair.data(), 2, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  return count == 1 ? static_cast<char32_t>(pair[0]) : 0;
}

char32_t other_case(char32_t code) noexcept {
  const auto letter = static_cast<utf8proc_int32_t>(code);
  const utf8proc_int32_t lower = utf8proc_tolower(letter);
  return static_cast<char32_t>(lower != letter ? lower : utf8proc_toupper(letter));
}

Glyph glyph(const Decoded& character) {
  const char32_t code = visible(character);
  if (code < 0x80) return {std::string(1, static_cast<char>(code)), 1};
  const int columns = is_mark(code) ? 0 : utf8proc_charwidth(static_cast<utf8proc_int32_t>(code));
  return {encode(code), columns};
}

}  // namespace trntensor::notation
