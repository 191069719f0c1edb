#include "trntensor/tensor/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"

namespace trntensor::io {
namespace {

constexpr std::size_t kMaxText = 60;
constexpr std::size_t kMaxNames = 30;

}  // namespace

void throw_file_error(const std::string& file, const std::string& what, const std::string& fix) {
  throw Error(ErrorKind::kIo, fmt::format("{}: {}", file, what), {}, fix);
}

std::string printable(std::string_view text) {
  std::size_t size = std::min(text.size(), kMaxText);
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
  std::string result(text.substr(0, size));
  std::ranges::replace_if(result, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  if (text.size() > size) result += "...";
  return result;
}

std::string name_list(std::span<const std::string> names) {
  if (names.empty()) return "there are no tensors in it";
  std::string result = "it has ";
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNames); ++i) {
    result += fmt::format("{}{}", i == 0 ? "" : ", ", printable(names[i]));
  }
  if (names.size() > kMaxNames) result += fmt::format(" and {} more", names.size() - kMaxNames);
  return result;
}

}  // namespace trntensor::io
