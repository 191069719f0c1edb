// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace trntensor::io {

/// Writes under a temporary name in the folder of `path`; `commit` renames. Without commit the temporary is removed.
/// Each member throws Io that names the path when the system refuses.
class AtomicFile {
 public:
  /// A symbolic link is followed, so that the file it leads to is replaced; what exists and is no regular file is
  /// refused. A file that is replaced keeps its permissions.
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void append(std::span<const std::byte> bytes);
  void overwrite(std::uint64_t position, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::filesystem::path& temporary_path() const noexcept { return temporary_; }
  void commit();

 private:
  void write_at(std::uint64_t position, std::span<const std::byte> bytes);
  [[noreturn]] void fail(const std::string& action) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace trntensor::io
