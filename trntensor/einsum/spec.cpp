#include "trntensor/einsum/spec.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "trntensor/einsum/utf8.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using notation::decode_at;
using notation::Decoded;

// The letter a name consists of, or 0 for "17", "...0" and the like.
char32_t letter_of(const std::string& name) {
  if (name.empty()) return 0;
  const Decoded character = decode_at(name, 0);
  const bool single = character.valid && character.bytes == name.size();
  return single && notation::is_letter(character.code) ? character.code : 0;
}

// Letters that are not taken yet: a-z, A-Z, then the rest of Unicode that reads from left to right.
class FreeLetters {
 public:
  explicit FreeLetters(const std::unordered_set<char32_t>& taken) : taken_(taken) {}

  char32_t next() {
    do {
      advance();
    } while (!notation::is_left_to_right_letter(code_) || taken_.contains(code_));
    return code_;
  }

 private:
  void advance() {
    constexpr char32_t kLastCodePoint = 0x10FFFF;
    if (code_ == U'z') {
      code_ = U'A';
    } else if (code_ == U'Z') {
      code_ = 0xC0;
    } else if (code_ == kLastCodePoint) {
      throw_unsupported("the contraction has more labels than Unicode has letters", {},
                        "use fewer labels, or keep the interleaved form");
    } else {
      ++code_;
    }
  }

  const std::unordered_set<char32_t>& taken_;
  char32_t code_ = U'a' - 1;
};

// A letter for each label: its own where it has one that no label before it has.
std::vector<std::string> letters(const Spec& spec) {
  std::vector<std::string> result(spec.extents.size());
  std::unordered_set<char32_t> taken;
  for (std::size_t label = 0; label < result.size() && label < spec.names.size(); ++label) {
    const char32_t letter = letter_of(spec.names[label]);
    if (letter != 0 && taken.insert(letter).second) result[label] = spec.names[label];
  }
  FreeLetters free_letters(taken);
  for (std::string& letter : result) {
    if (letter.empty()) letter = notation::encode(free_letters.next());
  }
  return result;
}

}  // namespace

Shape Spec::operand_shape(std::size_t operand) const {
  Shape shape;
  for (std::size_t axis = 0; axis < axes[operand].size(); ++axis) {
    shape.push_back(broadcast[operand][axis] ? 1 : extents[static_cast<std::size_t>(axes[operand][axis])]);
  }
  return shape;
}

Shape Spec::output_shape() const {
  Shape shape;
  for (const Label label : output) shape.push_back(extents[static_cast<std::size_t>(label)]);
  return shape;
}

std::string Spec::to_string() const {
  const std::vector<std::string> letter = letters(*this);
  std::string text;
  for (const Labels& operand : axes) {
    if (&operand != &axes.front()) text += ',';
    for (const Label label : operand) text += letter[static_cast<std::size_t>(label)];
  }
  text += "->";
  for (const Label label : output) text += letter[static_cast<std::size_t>(label)];
  return text;
}

}  // namespace trntensor
