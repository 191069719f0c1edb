// Tensors as text, as NumPy prints them.
#pragma once

#include <cstdint>
#include <string>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli {

/// Tensors of more elements are printed with the middle of each axis left out.
inline constexpr std::int64_t kPrintAll = 1000;

/// Nested brackets, elements aligned, at most 8 digits after the point, lines wrapped at 75 columns. No final newline.
std::string to_text(const Tensor& tensor);

}  // namespace trntensor::cli
