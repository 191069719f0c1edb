#include "trntensor/tensor/hdf5_file.hpp"

#include <algorithm>

#include "trntensor/tensor/byte_source.hpp"

namespace trntensor::io {
namespace {

constexpr std::size_t kMemoryIncrement = std::size_t{1} << 16;

Hdf5Handle access_properties(const std::string& file) {
  Hdf5Handle properties = checked({H5Pcreate(H5P_FILE_ACCESS), H5Pclose}, file, "cannot be opened");
  H5Pset_fclose_degree(properties.id(), H5F_CLOSE_STRONG);
  return properties;
}

// Called from C, through which no exception may pass.
herr_t collect_dataset(hid_t, const char* name, const H5O_info_t* info, void* names) noexcept {
  try {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path)
    : name_(path.string()), size_(open_file(path)->size()) {  // which says better than the library why there is none
  const Hdf5Handle properties = access_properties(name_);
  handle_ =
      checked({H5Fopen(path.c_str(), H5F_ACC_RDONLY, properties.id()), H5Fclose}, name_, "cannot be opened as HDF5");
}

Hdf5File::Hdf5File(std::span<const std::byte> bytes, const std::string& name) : name_(name), size_(bytes.size()) {
  const Hdf5Handle properties = access_properties(name_);
  // The library copies the image, though it takes a pointer that could change it.
  void* image = const_cast<std::byte*>(bytes.data());
  const bool set = H5Pset_fapl_core(properties.id(), kMemoryIncrement, 0) >= 0 &&
                   H5Pset_file_image(properties.id(), image, bytes.size()) >= 0;
  if (!set) throw_hdf5_error(name_, "cannot be opened from memory");
  handle_ =
      checked({H5Fopen(name.c_str(), H5F_ACC_RDONLY, properties.id()), H5Fclose}, name_, "cannot be opened as HDF5");
}

std::vector<std::string> dataset_names(const Hdf5File& file) {
  std::vector<std::string> names;
  if (H5Ovisit2(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, collect_dataset, &names, H5O_INFO_BASIC) < 0) {
    throw_hdf5_error(file.name(), "its groups cannot be listed");
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace trntensor::io
