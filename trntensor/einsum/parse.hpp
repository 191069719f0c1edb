// Text to notation.
#pragma once

#include <string_view>

#include "trntensor/einsum/notation.hpp"

namespace trntensor::notation {

/// Reads the letters form. The result refers to `text`, which must outlive it. Checks everything that needs no shapes
/// and no look at other terms: characters, one arrow, no comma behind it, one ellipsis a term. Throws InvalidArgument.
Notation parse(std::string_view text);

}  // namespace trntensor::notation
