// The directory of a zip archive: what members there are and where their bytes lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trntensor/tensor/byte_source.hpp"

namespace trntensor::io {

enum class ZipMethod : std::uint16_t { kStored = 0, kDeflated = 8 };

struct ZipEntry {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t position = 0;  ///< of the local header
};

/// Reads the central directory, zip64 included, and checks that every member lies in the file, overlaps no other and
/// claims no size that its packed bytes cannot hold. Throws Io and Unsupported as `NpzReader` says.
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5.
std::vector<ZipEntry> read_zip_directory(const ByteSource& source);

/// Position of the member's first packed byte, from its local header. Throws Io when header and directory differ.
std::uint64_t locate_zip_data(const ByteSource& source, const ZipEntry& entry);

}  // namespace trntensor::io
