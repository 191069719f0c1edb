#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/atomic_file.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/hdf5_types.hpp"
#include "trntensor/tensor/messages.hpp"

namespace trntensor {
namespace {

using io::Hdf5Handle;

// "a/b" and "/a/b" are fine, "a//b", "a/", "." and "" are not.
bool is_dataset_path(std::string_view name) {
  if (name.starts_with('/')) name.remove_prefix(1);
  if (name.find('\0') != std::string_view::npos) return false;
  while (true) {
    const auto slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == ".") return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

void check_tensors(const std::string& file, std::span<const NamedTensor> tensors) {
  std::vector<std::string_view> names;
  for (const auto& [name, tensor] : tensors) {
    if (!is_dataset_path(name)) {
      throw_invalid(fmt::format("{}: \"{}\" cannot be the path of a dataset", file, io::printable(name)), {},
                    "give a name, with \"/\" between groups");
    }
    names.push_back(std::string_view(name).substr(name.starts_with('/') ? 1 : 0));
    if (is_floating(tensor.dtype()) && size_of(tensor.dtype()) == 1) {
      throw_unsupported(
          fmt::format("{}: HDF5 has no type for the {} tensor \"{}\"", file, to_string(tensor.dtype()), name), {},
          "convert it with astype(DType::kFloat16), which is exact");
    }
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    throw_invalid(fmt::format("{}: two tensors have the name \"{}\"", file, *twice), {},
                  "give each tensor a name of its own");
  }
}

void write_dataset(const Hdf5Handle& file, const NamedTensor& entry, const std::string& path) {
  const std::string where = fmt::format("{}, dataset \"{}\"", path, entry.name);
  const bool as_is = entry.tensor.is_contiguous() && entry.tensor.dtype() != DType::kBool;  // 0 and 1 only
  const Tensor tensor = as_is ? entry.tensor : entry.tensor.clone();
  const std::vector<hsize_t> extents(tensor.shape().begin(), tensor.shape().end());
  const Hdf5Handle type = io::checked(io::hdf5_memory_type(tensor.dtype()), where, "its type cannot be made");
  const Hdf5Handle space = io::checked(
      {extents.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(tensor.rank(), extents.data(), nullptr), H5Sclose},
      where, "its shape cannot be written");
  const Hdf5Handle links = io::checked({H5Pcreate(H5P_LINK_CREATE), H5Pclose}, where, "cannot be created");
  const Hdf5Handle creation = io::checked({H5Pcreate(H5P_DATASET_CREATE), H5Pclose}, where, "cannot be created");
  H5Pset_create_intermediate_group(links.id(), 1);
  H5Pset_obj_track_times(creation.id(), false);  // the same tensors give the same bytes
  const Hdf5Handle dataset = io::checked(
      {H5Dcreate2(file.id(), entry.name.c_str(), type.id(), space.id(), links.id(), creation.id(), H5P_DEFAULT),
       H5Dclose},
      where, "cannot be created");
  if (tensor.size() > 0 && H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.data()) < 0) {
    io::throw_hdf5_error(where, "cannot be written");
  }
}

}  // namespace

void save_hdf5(const std::filesystem::path& path, std::span<const NamedTensor> tensors) {
  check_tensors(path.string(), tensors);
  io::AtomicFile file(path);
  const io::Hdf5Session session;
  Hdf5Handle handle =
      io::checked({H5Fcreate(file.temporary_path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose},
                  path.string(), "cannot be created");
  for (const NamedTensor& entry : tensors) write_dataset(handle, entry, path.string());
  if (!handle.reset()) io::throw_hdf5_error(path.string(), "cannot be written");
  file.commit();
}

}  // namespace trntensor
