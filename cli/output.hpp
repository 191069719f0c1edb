// Results on stdout, notes on stderr.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace trntensor::cli {

/// Writes to stdout at once. Throws Io when that fails, as on a full disk.
void print(std::string_view text);

/// Writes one JSON object. Numbers that are not finite become null, bytes that are no UTF-8 the replacement character.
void print_json(const nlohmann::ordered_json& object);

/// "trntensor: warning: ..." on stderr.
void warn(std::string_view text);

}  // namespace trntensor::cli
