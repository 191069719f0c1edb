#include "trntensor/tensor/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "trntensor/tensor/messages.hpp"

namespace trntensor::io {
namespace {

std::string system_message() { return std::generic_category().message(errno); }

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, int descriptor, std::uint64_t size)
      : ByteSource(std::move(name), size), descriptor_(descriptor) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(descriptor_); }

 private:
  void fill(std::uint64_t position, std::span<std::byte> target) const override {
    while (!target.empty()) {
      const ssize_t count = ::pread(descriptor_, target.data(), target.size(), static_cast<off_t>(position));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        throw_file_error(name(), fmt::format("cannot read at byte {}: {}", position, system_message()),
                         "check the disk or network drive");
      }
      if (count == 0) {
        throw_file_error(name(), fmt::format("the file became shorter while it was read, at byte {}", position),
                         "read it when nothing writes to it");
      }
      target = target.subspan(static_cast<std::size_t>(count));
      position += static_cast<std::uint64_t>(count);
    }
  }

  int descriptor_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes)
      : ByteSource(std::move(name), bytes.size()), bytes_(bytes) {}

 private:
  void fill(std::uint64_t position, std::span<std::byte> target) const override {
    std::ranges::copy(bytes_.subspan(position, target.size()), target.begin());
  }

  std::span<const std::byte> bytes_;
};

}  // namespace

void ByteSource::read_at(std::uint64_t position, std::span<std::byte> target) const {
  if (position > size_ || target.size() > size_ - position) {
    throw_file_error(
        name_, fmt::format("{} bytes are expected at byte {}, but the file ends at {}", target.size(), position, size_),
        "the file is cut off or damaged; get it again");
  }
  if (!target.empty()) fill(position, target);
}

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would hang before it can be refused.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    throw_file_error(path.string(), fmt::format("cannot be opened: {}", system_message()),
                     "check the path and its permissions");
  }
  struct stat status{};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw_file_error(path.string(), "is not a regular file", "give the path of a file, not of a folder or device");
  }
  return std::make_unique<FileSource>(path.string(), descriptor, static_cast<std::uint64_t>(status.st_size));
}

std::unique_ptr<ByteSource> view_memory(std::span<const std::byte> bytes, const std::string& name) {
  return std::make_unique<MemorySource>(name, bytes);
}

void ByteStream::read(std::span<std::byte> target) {
  if (target.size() > remaining_) {
    throw_file_error(name_, fmt::format("{} bytes are expected, but only {} are left", target.size(), remaining_),
                     "the file is cut off or damaged; get it again");
  }
  if (target.empty()) return;
  fill(target);
  remaining_ -= target.size();
}

}  // namespace trntensor::io
