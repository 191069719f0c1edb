// Datasets of HDF5 files, with the conventions of h5py.
//
// What a file claims is checked against its size, files that are cut off are refused, and links into other files are
// not followed. The HDF5 library itself, though, does not survive every file whose internal structures were altered on
// purpose (it may crash or run out of memory): read files from strangers as .npy or .npz.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/tensor/named_tensor.hpp"

namespace trntensor {

/// Paths of all datasets ("eri", "group/C_occ"), groups included, sorted.
/// Throws Io when the file cannot be read as HDF5.
std::vector<std::string> list_hdf5(const std::filesystem::path& path);

/// Reads the dataset `name` of any storage layout and compression built into the HDF5 library, of either byte order:
/// integers, float16/32/64, bfloat16 (a float with its fields), complex as a compound of two equal floats named r and i
/// (or real and imag), bool as the enumeration FALSE = 0, TRUE = 1. A dataset that claims more elements than its stored
/// bytes can hold fails before anything is allocated. Throws InvalidArgument that lists the names when there is no such
/// dataset, Io for damaged files, Unsupported for other element types and for data kept in other files. Calls from
/// several threads take turns: the HDF5 library is not thread-safe.
Tensor load_hdf5(const std::filesystem::path& path, std::string_view name);

/// The same two from the bytes of a file; `file_name` stands for the path in messages.
std::vector<std::string> list_hdf5(std::span<const std::byte> bytes, const std::string& file_name = "memory");
Tensor read_hdf5(std::span<const std::byte> bytes, std::string_view name, const std::string& file_name = "memory");

/// Writes a new file (whole or not at all, as `save_npy` does) with one contiguous dataset per tensor; "/" in a name
/// makes groups. Throws InvalidArgument for a name that is empty or repeated, Unsupported for float8,
/// whose formats HDF5 cannot tell apart, Io for what the system refuses.
void save_hdf5(const std::filesystem::path& path, std::span<const NamedTensor> tensors);

}  // namespace trntensor
