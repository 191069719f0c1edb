#include "trntensor/support/aligned_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>

#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void AlignedDeleter::operator()(std::byte* pointer) const noexcept { std::free(pointer); }

AlignedBuffer allocate_aligned(std::size_t bytes) {
  const bool huge = bytes >= 2 * kHugePage;
  const std::size_t alignment = huge ? kHugePage : kCacheLine;
  void* pointer = nullptr;
  const std::size_t asked = bytes == 0 ? kCacheLine : bytes;
  if (posix_memalign(&pointer, alignment, asked) != 0) {
    throw Error(ErrorKind::kOutOfMemory,
                fmt::format("cannot allocate {} ({} bytes)", format_bytes(static_cast<double>(bytes)), bytes), {},
                "free memory, use smaller tensors, or set a memory limit so that a smaller plan is chosen");
  }
#ifdef MADV_HUGEPAGE
  if (huge) madvise(pointer, asked / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return AlignedBuffer(static_cast<std::byte*>(pointer));
}

}  // namespace trntensor
