// What somebody may have meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trntensor::cli {

/// The name with the fewest letters to insert, delete, exchange or swap with their neighbour, if those are at most a
/// third of `text` (but at least one).
std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> names);

}  // namespace trntensor::cli
