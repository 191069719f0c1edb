#include "trntensor/support/shared_memory.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <new>

#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace trntensor {
namespace {

constexpr std::size_t kOneBlockBelow = std::size_t{64} << 10;
constexpr std::size_t kLine = 64;
/// For the control block of a shared pointer, in front of the memory.
constexpr std::size_t kHeader = 48;

/// Gives a shared pointer the header of a block for its control block; with that the whole block goes.
template <typename T>
struct HeaderAllocator {
  using value_type = T;

  explicit HeaderAllocator(void* header) noexcept : block(header) {}
  template <typename Other>
  HeaderAllocator(const HeaderAllocator<Other>& other) noexcept  // NOLINT(google-explicit-constructor)
      : block(other.block) {}

  T* allocate(std::size_t /*count*/) noexcept {
    static_assert(sizeof(T) <= kHeader && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return static_cast<T*>(block);
  }
  void deallocate(T* header, std::size_t /*count*/) noexcept { ::operator delete(static_cast<void*>(header)); }

  template <typename Other>
  friend bool operator==(const HeaderAllocator& a, const HeaderAllocator<Other>& b) noexcept {
    return a.block == b.block;
  }

  void* block;
};

struct KeepMemory {
  void operator()(std::byte* /*memory*/) const noexcept {}
};

}  // namespace

std::shared_ptr<std::byte> allocate_shared_memory(std::size_t bytes) {
  if (bytes >= kOneBlockBelow) {
    std::shared_ptr<std::byte[]> memory = allocate_aligned(bytes);
    std::byte* const first = memory.get();
    return {std::move(memory), first};
  }
  const std::size_t size = kHeader + kLine + bytes;
  void* const block = ::operator new(size, std::nothrow);
  if (block == nullptr) {
    throw Error(ErrorKind::kOutOfMemory, fmt::format("cannot allocate {}", format_bytes(static_cast<double>(bytes))),
                {}, "free memory, or use smaller tensors");
  }
  auto* const begin = static_cast<std::byte*>(block);
  const std::size_t past_line = (reinterpret_cast<std::uintptr_t>(begin) + kHeader) % kLine;
  std::byte* const memory = begin + kHeader + (kLine - past_line) % kLine;
  // An access behind the tensor is an error although the block goes on.
  ASAN_POISON_MEMORY_REGION(memory + bytes, static_cast<std::size_t>(begin + size - (memory + bytes)));
  return {memory, KeepMemory(), HeaderAllocator<std::byte>(block)};
}

}  // namespace trntensor
