// Values of options that are more than a number or a word.
#pragma once

#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trntensor::cli {

/// "2", "-1.5e3", "2j", "1-0.5j". Throws InvalidArgument that names `option` and the text.
std::complex<double> parse_scalar(std::string_view text, std::string_view option);

/// A finite number above 0. Throws InvalidArgument that names `option` and the text.
double parse_positive(std::string_view text, std::string_view option);

/// The number of --target-error, if given. Throws InvalidArgument when it is none above 0, and when --precision is
/// given too.
std::optional<double> parse_target_error(const std::optional<std::string>& text,
                                         const std::optional<std::string>& precision);

/// "i=10" and the like. Throws InvalidArgument for what is no assignment, no size, or given twice.
std::map<std::string, std::int64_t> parse_sizes(std::span<const std::string> assignments);

}  // namespace trntensor::cli
