// Where file readers get their bytes: a file or memory, as a whole or as a stream that knows its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace trntensor::io {

/// Bytes of known number at known positions. Safe to read from several threads.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Fills `target` from `position` on. Throws Io when the source ends before or the system refuses.
  void read_at(std::uint64_t position, std::span<std::byte> target) const;

 protected:
  ByteSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
  virtual void fill(std::uint64_t position, std::span<std::byte> target) const = 0;

 private:
  std::string name_;
  std::uint64_t size_;
};

/// Opens a regular file. Throws Io that names it.
std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path);

/// Views memory, which must outlive the source.
std::unique_ptr<ByteSource> view_memory(std::span<const std::byte> bytes, const std::string& name);

/// Bytes in order, of known number.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// The file, and the member where it has several, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return remaining_; }

  /// Fills `target` with the next bytes. Throws Io when fewer remain.
  void read(std::span<std::byte> target);

 protected:
  ByteStream(std::string name, std::uint64_t size) : name_(std::move(name)), remaining_(size) {}
  virtual void fill(std::span<std::byte> target) = 0;

 private:
  std::string name_;
  std::uint64_t remaining_;
};

/// The bytes [position, position + size) of a source.
class SourceStream final : public ByteStream {
 public:
  SourceStream(const ByteSource& source, std::string name, std::uint64_t position, std::uint64_t size)
      : ByteStream(std::move(name), size), source_(source), position_(position) {}

 private:
  void fill(std::span<std::byte> target) override {
    source_.read_at(position_, target);
    position_ += target.size();
  }

  const ByteSource& source_;
  std::uint64_t position_;
};

}  // namespace trntensor::io
