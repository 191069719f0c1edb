// A strict parser for the one Python literal that .npy headers hold.
#include <fmt/format.h>

#include <charconv>

#include "trntensor/tensor/messages.hpp"
#include "trntensor/tensor/npy_header.hpp"

namespace trntensor::io {
namespace {

constexpr std::size_t kMaxRank = 64;  // NumPy's own limit

class FieldParser {
 public:
  FieldParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyFields parse() {
    NpyFields fields;
    bool seen[3] = {};
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted("a key");
      expect(':');
      const int index = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : fail_key(key);
      if (seen[index]) fail(fmt::format("the key '{}' is there twice", key));
      seen[index] = true;
      if (index == 0) fields.descr = descr();
      if (index == 1) fields.fortran_order = boolean();
      if (index == 2) fields.shape = shape();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (position_ != text_.size()) fail("there is text after the dictionary");
    if (!seen[0] || !seen[1] || !seen[2]) {
      fail(fmt::format("the key '{}' is missing", !seen[0] ? "descr" : !seen[1] ? "fortran_order" : "shape"));
    }
    return fields;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw_file_error(file_, fmt::format("the .npy header is wrong at character {}: {}", position_, what),
                     "the file is damaged or was not written by NumPy; write it again with numpy.save");
  }
  [[noreturn]] int fail_key(std::string_view key) const {
    fail(fmt::format("unknown key '{}'; there should be descr, fortran_order and shape", printable(key)));
  }

  void skip_blanks() {
    while (position_ < text_.size() && std::string_view(" \t\n\r").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
  }
  char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || position_ == text_.size()) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}' is expected", c));
  }

  std::string_view quoted(const char* what) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(fmt::format("{} in quotes is expected", what));
    const auto end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) fail("a quote is not closed");
    const auto value = text_.substr(position_ + 1, end - position_ - 1);
    if (value.find_first_of("\\\n") != std::string_view::npos) fail("escapes in quotes are not expected");
    position_ = end + 1;
    return value;
  }

  // Structured types are lists or tuples; what is in them does not matter, for they are refused.
  std::string descr() {
    if (peek() != '[' && peek() != '(') return std::string(quoted("a type"));
    int depth = 0;
    do {
      const char c = peek();
      if (c == '\'' || c == '"') {
        quoted("a name");
        continue;
      }
      if (c == '\0') fail("a bracket is not closed");
      depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
      ++position_;
    } while (depth > 0);
    return {};
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(position_).starts_with(word)) continue;
      position_ += word.size();
      return word == "True";
    }
    fail("True or False is expected");
  }

  std::int64_t extent() {
    skip_blanks();
    std::int64_t value = 0;
    const char* first = text_.data() + position_;
    const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), value);
    if (status != std::errc{} || value < 0) fail("an extent from 0 to 2^63 - 1 is expected");
    position_ += static_cast<std::size_t>(end - first);
    accept('L');  // Python 2 wrote long integers so
    return value;
  }

  Shape shape() {
    Shape result;
    expect('(');
    bool comma = true;
    while (!accept(')')) {
      if (!comma) fail("',' or ')' is expected");
      if (result.size() == kMaxRank) fail(fmt::format("there are more than {} axes", kMaxRank));
      result.push_back(extent());
      comma = accept(',');
    }
    if (result.size() == 1 && !comma) fail("the shape is a number in brackets, not a tuple");
    return result;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
};

}  // namespace

NpyFields parse_npy_fields(std::string_view text, const std::string& file) { return FieldParser(text, file).parse(); }

}  // namespace trntensor::io
