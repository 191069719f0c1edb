#include "cli/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli {
namespace {

/// The number that is all of `text`; a leading plus is allowed.
std::optional<double> number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Where the imaginary part begins: the last sign that belongs to no exponent, else the start.
std::size_t imaginary_start(std::string_view text) {
  for (std::size_t k = text.size(); k-- > 1;) {
    if ((text[k] == '+' || text[k] == '-') && text[k - 1] != 'e' && text[k - 1] != 'E') return k;
  }
  return 0;
}

}  // namespace

std::complex<double> parse_scalar(std::string_view text, std::string_view option) {
  if (const auto real = number(text)) return *real;
  if (text.ends_with('j')) {
    const std::string_view body = text.substr(0, text.size() - 1);
    const std::size_t split = imaginary_start(body);
    const auto real = split == 0 ? 0.0 : number(body.substr(0, split));
    const auto imaginary = number(body.substr(split));
    if (real && imaginary) return {*real, *imaginary};
  }
  throw_invalid(fmt::format("{} \"{}\" is no number", option, text), std::string(option),
                "write a number such as 2, -1.5e3 or 1-0.5j");
}

double parse_positive(std::string_view text, std::string_view option) {
  const auto value = number(text);
  if (value && *value > 0 && std::isfinite(*value)) return *value;
  throw_invalid(fmt::format("{} \"{}\" is no positive number", option, text), std::string(option),
                "write a number such as 1e-8");
}

std::optional<double> parse_target_error(const std::optional<std::string>& text,
                                         const std::optional<std::string>& precision) {
  if (!text) return std::nullopt;
  if (precision) {
    throw_invalid("--target-error chooses the precision, and --precision is given too", "--target-error",
                  "leave one of the two out");
  }
  return parse_positive(*text, "--target-error");
}

std::map<std::string, std::int64_t> parse_sizes(std::span<const std::string> assignments) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw_invalid(fmt::format("--sizes \"{}\" is no assignment", assignment), "--sizes",
                    "write label=size, such as i=10,j=20");
    }
    const std::string label = without_blanks_around(assignment.substr(0, equals));
    const std::int64_t size = parse_integer(without_blanks_around(assignment.substr(equals + 1)),
                                            fmt::format("the size of {}", label), 0, INT64_MAX);
    if (!sizes.emplace(label, size).second) {
      throw_invalid(fmt::format("--sizes gives label {} twice", label), "--sizes", "give each label one size");
    }
  }
  return sizes;
}

}  // namespace trntensor::cli
