// Writing zip archives member by member.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "trntensor/tensor/atomic_file.hpp"
#include "trntensor/tensor/zip_directory.hpp"

namespace trntensor::io {

/// Sizes and positions from here on go into zip64 fields.
inline constexpr std::uint64_t kZip64From = 0xffffffff;

/// Appends members to a file; `finish` writes the directory. `zip64_from` is lowered by tests only.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file, std::uint64_t zip64_from = kZip64From) : file_(file), zip64_from_(zip64_from) {}

  /// Receives pieces of a member.
  using Sink = std::function<void(std::span<const std::byte>)>;

  /// Adds a member of what `produce` hands to the sink it is called with; `expected_size` is how much that will be.
  void add(const std::string& name, ZipMethod method, std::uint64_t expected_size,
           const std::function<void(const Sink&)>& produce);
  void finish();

 private:
  void write_local_header(const ZipEntry& entry, bool in64);
  void write_directory_entry(const ZipEntry& entry);
  void write_end(std::uint64_t directory_position);

  AtomicFile& file_;
  std::uint64_t zip64_from_;
  std::vector<ZipEntry> entries_;
};

}  // namespace trntensor::io
