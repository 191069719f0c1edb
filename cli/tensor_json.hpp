// Tensors as JSON values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli {

/// Nested lists, C order; a number for rank 0. Complex elements are [real, imaginary], integers exact.
nlohmann::ordered_json to_json(const Tensor& tensor);

nlohmann::ordered_json to_json(std::span<const std::int64_t> values);

}  // namespace trntensor::cli
