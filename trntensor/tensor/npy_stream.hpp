// Arrays in .npy format from and to any stream of bytes.
#pragma once

#include <functional>
#include <optional>

#include "trntensor/tensor/byte_source.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::io {

/// Reads header and data. Throws as `load_npy` says.
Tensor read_npy_stream(ByteStream& stream, std::optional<DType> raw_as);

/// Hands header and data to `write` piece by piece, without a copy of the whole.
void write_npy_stream(const TensorView& tensor, const std::function<void(std::span<const std::byte>)>& write);

/// Turns the bytes of each number round, complex ones part by part.
void swap_byte_order(std::span<std::byte> data, DType dtype) noexcept;

}  // namespace trntensor::io
