#include "tests/dispatch/counted_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRNTENSOR_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TRNTENSOR_SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(TRNTENSOR_SANITIZED)
#define TRNTENSOR_COUNT_MALLOC
#endif

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> total_bytes{0};
std::atomic<std::int64_t> granted{std::numeric_limits<std::int64_t>::max()};  // before aligned memory is refused

void count(std::size_t bytes) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  total_bytes.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

bool is_refused() noexcept { return granted.fetch_sub(1, std::memory_order_relaxed) == 0; }

}  // namespace

#ifdef TRNTENSOR_COUNT_MALLOC

// operator new comes from malloc or aligned_alloc.
extern "C" {

void* __libc_malloc(std::size_t bytes);                           // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t number, std::size_t bytes);       // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* memory, std::size_t bytes);            // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT(bugprone-reserved-identifier)

void* malloc(std::size_t bytes) noexcept {
  count(bytes);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) noexcept {
  count(number * bytes);
  return __libc_calloc(number, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  count(bytes);
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  count(bytes);
  return __libc_memalign(alignment, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  count(bytes);
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  if (is_refused()) return ENOMEM;
  count(bytes);
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
}

#else

namespace {

void* counted(std::size_t bytes, std::size_t alignment) noexcept {
  count(bytes);
  alignment = std::max(alignment, alignof(std::max_align_t));
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* counted_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = counted(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The forms with brackets call these.
void* operator new(std::size_t bytes) { return counted_or_throw(bytes, 0); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept { return counted(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

extern "C" int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  if (is_refused()) return ENOMEM;
  *memory = counted(bytes, alignment);
  return *memory == nullptr ? ENOMEM : 0;
}

#endif

namespace trntensor::testing {

Taken taken() noexcept {
  return {allocations.load(std::memory_order_relaxed), total_bytes.load(std::memory_order_relaxed)};
}

void refuse_aligned_after(std::int64_t count) noexcept { granted.store(count, std::memory_order_relaxed); }

bool was_refused() noexcept { return granted.load(std::memory_order_relaxed) < 0; }

}  // namespace trntensor::testing
