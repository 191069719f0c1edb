// Scratch memory that is kept from call to call, so that steady work does not allocate.
#pragma once

#include <cstddef>

#include "trntensor/support/aligned_memory.hpp"

namespace trntensor::host {

/// Takes a buffer of at least `bytes` bytes, 64-byte aligned, from this thread's store and gives it back at the end
/// of its life. Several may be alive at once. The store keeps a few buffers, 64 MiB in all, and frees the rest.
/// Throws OutOfMemory when the system has none.
class Workspace {
 public:
  explicit Workspace(std::size_t bytes);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  [[nodiscard]] std::byte* data() const noexcept { return buffer_.get(); }

 private:
  AlignedBuffer buffer_;
  std::size_t capacity_ = 0;
};

/// Cuts one workspace into aligned pieces: first count, then take in the same order.
class WorkspaceCutter {
 public:
  explicit WorkspaceCutter(std::byte* memory = nullptr) noexcept : memory_(memory) {}

  /// The next piece, or null while counting.
  template <typename T>
  T* take(std::size_t count) noexcept {
    constexpr std::size_t kLine = 64;
    std::byte* piece = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (count * sizeof(T) + kLine - 1) / kLine * kLine;
    return reinterpret_cast<T*>(piece);
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  std::byte* memory_;
  std::size_t used_ = 0;
};

}  // namespace trntensor::host
