#include "trntensor/tensor/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "trntensor/tensor/messages.hpp"

namespace trntensor::io {
namespace {

// Where symbolic links lead, also to a file that is not there yet.
std::filesystem::path resolved_target(const std::filesystem::path& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::none) {
    throw_file_error(path.string(), fmt::format("cannot be looked at: {}", error.message()), "give another path");
  }
  if (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular) {
    throw_file_error(path.string(), "exists and is not a regular file", "give another path to write to");
  }
  std::filesystem::path target = path;
  while (std::filesystem::is_symlink(std::filesystem::symlink_status(target, error))) {
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
    if (error) throw_file_error(path.string(), fmt::format("cannot be followed: {}", error.message()), {});
  }
  return target;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : target_(resolved_target(path)) {
  static std::atomic<unsigned> counter{0};
  struct stat before = {};
  const bool replaces = ::stat(target_.c_str(), &before) == 0;
  if (replaces && ::access(target_.c_str(), W_OK) != 0) fail("cannot be written");
  do {
    // Not from the target's name, which may be as long as names can be.
    temporary_ = target_.parent_path() / fmt::format(".trntensor-{}-{}.tmp", ::getpid(), counter.fetch_add(1));
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail("cannot be created");
  // The new file is for whom the old one was; where the system refuses, for its owner only.
  if (replaces) static_cast<void>(::fchmod(descriptor_, before.st_mode & 07777U));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  write_at(size_, bytes);
  size_ += bytes.size();
}

void AtomicFile::overwrite(std::uint64_t position, std::span<const std::byte> bytes) { write_at(position, bytes); }

void AtomicFile::write_at(std::uint64_t position, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    position += static_cast<std::uint64_t>(count);
  }
}

void AtomicFile::commit() {
  // Else a machine that stops may find the new name with nothing behind it. Some file systems cannot, and say so.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail("cannot be written");
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("cannot be written");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
  temporary_.clear();
}

void AtomicFile::fail(const std::string& action) const {
  throw_file_error(target_.string(), fmt::format("{}: {}", action, std::generic_category().message(errno)),
                   "check that the folder exists, that it may be written to, and that the disk is not full");
}

}  // namespace trntensor::io
