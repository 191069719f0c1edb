// Small things to do to text.
#pragma once

#include <string>
#include <string_view>

namespace trntensor {

/// ASCII letters in lower case, everything else as it is.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace trntensor
