// The header of the .npy format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/tensor/byte_source.hpp"
#include "trntensor/tensor/dtype.hpp"
#include "trntensor/tensor/layout.hpp"

namespace trntensor::io {

/// What the header says of the data that follows it.
struct NpyHeader {
  DType dtype = DType::kFloat64;
  bool swapped = false;  ///< the bytes of each number are in the other order than this machine's
  bool fortran_order = false;
  Shape shape;
};

/// The three values of the header's Python dictionary, as written.
struct NpyFields {
  std::string descr;  ///< empty when it is not a string: a structured type
  bool fortran_order = false;
  Shape shape;
};

/// Parses "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }": exactly these keys, each once, in any order.
/// Throws Io with `file` and the place in the text.
NpyFields parse_npy_fields(std::string_view text, const std::string& file);

/// Reads magic, version and dictionary. `raw_as` is the type of raw bytes. Throws as `load_npy` says.
NpyHeader read_npy_header(ByteStream& stream, std::optional<DType> raw_as);

/// Magic, version 1.0 and dictionary, padded to a multiple of 64 bytes.
std::vector<std::byte> format_npy_header(DType dtype, bool fortran_order, std::span<const std::int64_t> shape);

}  // namespace trntensor::io
