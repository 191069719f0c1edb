// NumPy's .npz files: zip archives of .npy files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trntensor/tensor/named_tensor.hpp"

namespace trntensor {

namespace io {
class ZipArchive;
}

/// An open .npz file: stored and deflated members, zip64. What a header claims is checked against the file before
/// memory is allocated, checksums are checked. Errors are Io with the path and member, Unsupported for encryption,
/// other compression methods, archives in several parts and foreign element types. Safe to read from several threads.
class NpzReader {
 public:
  explicit NpzReader(const std::filesystem::path& path);
  /// From memory, which must outlive the reader; `name` stands for the path in messages.
  explicit NpzReader(std::span<const std::byte> bytes, const std::string& name = "memory");
  NpzReader(NpzReader&&) noexcept;
  NpzReader& operator=(NpzReader&&) noexcept;
  ~NpzReader();

  /// Names of the arrays, without ".npy", in the order of the archive. Members that are no .npy are left out.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// Of the archive, those that are no .npy included.
  [[nodiscard]] std::size_t num_members() const noexcept;
  [[nodiscard]] bool contains(std::string_view name) const noexcept;

  /// Reads one array; `raw_as` as in `load_npy`. Throws InvalidArgument that lists the names when there is none of
  /// that name.
  [[nodiscard]] Tensor read(std::string_view name, std::optional<DType> raw_as = {}) const;
  [[nodiscard]] std::vector<NamedTensor> read_all(std::optional<DType> raw_as = {}) const;

 private:
  void collect_names();

  std::unique_ptr<io::ZipArchive> archive_;
  std::vector<std::string> names_;
};

struct NpzOptions {
  bool compress = false;  ///< deflate, as numpy.savez_compressed
};

/// Writes a file that numpy.load reads, whole or not at all as `save_npy` does.
/// Throws InvalidArgument for an empty, repeated or too long name, Io for what the system refuses.
void save_npz(const std::filesystem::path& path, std::span<const NamedTensor> tensors, const NpzOptions& options = {});

}  // namespace trntensor
