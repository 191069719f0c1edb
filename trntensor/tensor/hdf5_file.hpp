// Opening HDF5 files for reading.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "trntensor/tensor/hdf5_handle.hpp"

namespace trntensor::io {

/// An open file, and the session it needs.
class Hdf5File {
 public:
  /// Both throw Io when there is no such file or the library cannot read it.
  explicit Hdf5File(const std::filesystem::path& path);
  Hdf5File(std::span<const std::byte> bytes, const std::string& name);

  [[nodiscard]] hid_t id() const noexcept { return handle_.id(); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }  ///< in bytes

 private:
  Hdf5Session session_;
  std::string name_;
  std::uint64_t size_;
  Hdf5Handle handle_;
};

/// Paths of all datasets that hard links lead to, sorted.
std::vector<std::string> dataset_names(const Hdf5File& file);

}  // namespace trntensor::io
