// Messages that point into the text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trntensor/einsum/notation.hpp"
#include "trntensor/einsum/utf8.hpp"

namespace trntensor::notation {

/// Two lines: the text, and below it a caret under the first character of the culprit, tildes under the rest. Counted
/// in columns of a terminal; a text longer than a line is cut around the culprit. An empty culprit gets one caret.
std::string point_at(std::string_view text, Span culprit);

/// Throws InvalidArgument: `what`, the two lines of point_at, "fix: " and `fix`.
[[noreturn]] void throw_at(std::string_view text, Span culprit, const std::string& what, const std::string& fix);

/// "'x'", or "U+0009 (tab)" for what cannot be seen.
std::string describe(const Decoded& character);

/// "i, j, k"; beyond 20 names "i, j, ... and 5 more".
std::string join_names(std::span<const std::string> names);

/// "1 term", "2 terms", "2 axes".
std::string counted(std::size_t count, std::string_view singular);

}  // namespace trntensor::notation
