// Shared memory of tensors: what allocate_aligned gives, in one allocation where that matters.
#pragma once

#include <cstddef>
#include <memory>

namespace trntensor {

/// Uninitialised memory aligned to 64 bytes that lives as long as a copy of the pointer. Below 64 KiB memory and
/// reference count are one block of ::operator new, as it takes longer to allocate a small tensor than to compute it.
/// Throws OutOfMemory with the size when the system refuses.
std::shared_ptr<std::byte> allocate_shared_memory(std::size_t bytes);

}  // namespace trntensor
