// Tensors from and to files of any format we know, told by the extension.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

/// Reads a tensor from `.npy`, `.npz`, `.h5`/`.hdf5` or a folder of `.npy` files. In the last three `name` says which;
/// it may be left out where there is only one. Throws InvalidArgument for an unknown extension, a name in a file that
/// has none, a name that is not there (listing those that are) and a name that is missing; else as the reader does.
/// `raw_as` is the type of elements that a `.npy` file calls raw bytes, as in load_npy.
Tensor load_tensor(const std::filesystem::path& path, std::string_view name = {}, std::optional<DType> raw_as = {});

/// Names of the tensors in a `.npz`, `.h5`/`.hdf5` or folder of `.npy` files; for `.npy` the file's name without it.
std::vector<std::string> list_tensors(const std::filesystem::path& path);

/// Writes one tensor in the format of the extension (`name` defaults to "data" where the format needs one).
void save_tensor(const std::filesystem::path& path, const Tensor& tensor, std::string_view name = {});

}  // namespace trntensor
