// NumPy's .npy files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

/// Reads an array of format version 1.0, 2.0 or 3.0, of either byte order; one in Fortran order comes out as a tensor
/// with Fortran strides. `raw_as` is the type of elements which the file calls raw bytes only, as ml_dtypes has NumPy
/// write bfloat16 ("V2") and float8 ("V1"); it is not used for other files.
/// Memory is bounded by the file: a header that claims more data than there is fails before anything is allocated.
/// Throws Io that names the file and what is wrong in it, Unsupported for element types that are not ours (structures,
/// objects, text, dates, long double) and for raw bytes without `raw_as`.
/// Source: NumPy Enhancement Proposal 1 and numpy.lib.format.
Tensor load_npy(const std::filesystem::path& path, std::optional<DType> raw_as = {});

/// The same from memory; `name` stands for the path in messages.
Tensor read_npy(std::span<const std::byte> bytes, std::optional<DType> raw_as = {}, const std::string& name = "memory");

/// Writes format version 1.0, little-endian, as numpy.save does (Fortran order when the tensor has it; bfloat16 and
/// float8 as raw bytes). The file appears whole or not at all: it is written under a temporary name beside it.
/// Throws Io that names the path; InvalidArgument when the memory is not on the host.
void save_npy(const std::filesystem::path& path, const TensorView& tensor);

}  // namespace trntensor
