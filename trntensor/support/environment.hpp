// TRNTENSOR_* variables: each is read once, checked, and has a programmatic twin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trntensor {

/// Worker threads that may be asked for.
inline constexpr int kMostThreads = 4096;

/// Value of an environment variable, or nothing when it is unset or empty.
std::optional<std::string> environment_text(const char* name);

/// Value of an environment variable as a whole number in [low, high], or nothing when it is unset or empty.
/// Throws InvalidArgument that names the variable and its text when the text is no such number.
std::optional<std::int64_t> environment_integer(const char* name, std::int64_t low, std::int64_t high);

/// Parses a whole number in [low, high]. Throws InvalidArgument that names `what` and the text.
std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high);

/// Parses a size in bytes such as "512M", "2G", "1.5GiB", "4096" (powers of 1024).
/// Throws InvalidArgument that names `what` and the text.
std::int64_t parse_bytes(std::string_view text, std::string_view what);

/// Bytes for people: "1.5 GiB".
std::string format_bytes(double bytes);

/// Worker threads a call may use: `set_num_threads` if it was called, else TRNTENSOR_NUM_THREADS, else the number
/// of CPUs this process may run on. Throws InvalidArgument when the variable's text is not in 1..4096.
int num_threads();

/// What a call's option asks for: `asked`, or num_threads() for 0. Throws InvalidArgument outside 0..4096.
int num_threads(int asked);

/// Programmatic twin of TRNTENSOR_NUM_THREADS; 0 goes back to the variable. Throws InvalidArgument outside 0..4096.
void set_num_threads(int count);

}  // namespace trntensor
