// Memory for tensors and workspaces: 64-byte aligned, huge pages where they pay, failure as an Error.
#pragma once

#include <cstddef>
#include <memory>

namespace trntensor {

struct AlignedDeleter {
  void operator()(std::byte* pointer) const noexcept;
};
using AlignedBuffer = std::unique_ptr<std::byte[], AlignedDeleter>;

/// Uninitialised memory aligned to 64 bytes (2 MiB from 4 MiB up, with huge pages requested).
/// Throws OutOfMemory with the size when the system refuses.
AlignedBuffer allocate_aligned(std::size_t bytes);

}  // namespace trntensor
