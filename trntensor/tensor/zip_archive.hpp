// Reading the members of a zip archive as streams.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "trntensor/tensor/byte_source.hpp"
#include "trntensor/tensor/zip_directory.hpp"

namespace trntensor::io {

/// An archive whose directory has been read and checked.
class ZipArchive {
 public:
  explicit ZipArchive(std::unique_ptr<ByteSource> source);

  [[nodiscard]] const ByteSource& source() const noexcept { return *source_; }
  [[nodiscard]] const std::vector<ZipEntry>& entries() const noexcept { return entries_; }

  /// The member's bytes, unpacked while they are read. The stream checks the sum of what it gave out against the
  /// directory with the last byte, and must not outlive the archive. Throws Io and Unsupported as `NpzReader` says.
  [[nodiscard]] std::unique_ptr<ByteStream> open(const ZipEntry& entry) const;

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<ZipEntry> entries_;
};

}  // namespace trntensor::io
