// Operands named on the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor::cli {

/// "a.npy", "arrays.npz:name", "data.h5:group/name" or "folder:name".
struct TensorFile {
  std::filesystem::path path;
  std::string name;  ///< empty when none was given
};

/// A file whose whole name exists is taken as it is, colons and all; else the name follows the last colon.
TensorFile parse_tensor_file(const std::string& text);

/// Throws what load_tensor throws; `raw_as` as there.
Tensor load_operand(const std::string& text, std::optional<DType> raw_as);

/// Throws InvalidArgument when `path` is an archive with other tensors than a result, and Io when its folder does not
/// exist or it is a folder itself: said before the work begins, not after.
void check_output(const std::filesystem::path& path);

}  // namespace trntensor::cli
