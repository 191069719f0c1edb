// Errors about files, and text out of files made fit for them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trntensor::io {

/// Throws Io: "<file>: <what>" and the fix.
[[noreturn]] void throw_file_error(const std::string& file, const std::string& what, const std::string& fix);

/// At most 60 bytes of UTF-8 text from a file, control characters (which could steer a terminal) replaced by "?".
std::string printable(std::string_view text);

/// "it has a, b, c", or that the file (or folder, ...) has no tensors; long lists are cut.
std::string name_list(std::span<const std::string> names);

}  // namespace trntensor::io
