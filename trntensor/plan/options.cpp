#include "trntensor/plan/options.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

constexpr std::array<std::string_view, 4> kPrecisionNames{"fast", "kahan", "dd", "sr"};
constexpr std::array<std::string_view, 3> kMethodNames{"auto", "greedy", "optimal"};

template <typename Enum>
Enum parse_name(std::string_view name, std::string_view what, std::span<const std::string_view> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
    list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
  }
  throw_invalid(fmt::format("unknown {} \"{}\"", what, name), {}, "use one of " + list);
}

}  // namespace

std::string_view to_string(Precision precision) noexcept {
  return kPrecisionNames[static_cast<std::size_t>(precision)];
}

Precision parse_precision(std::string_view name) { return parse_name<Precision>(name, "precision", kPrecisionNames); }

std::string_view to_string(PathMethod method) noexcept { return kMethodNames[static_cast<std::size_t>(method)]; }

PathMethod parse_path_method(std::string_view name) {
  return parse_name<PathMethod>(name, "path method", kMethodNames);
}

}  // namespace trntensor
