#include "trntensor/host/workspace.hpp"

#include <array>
#include <utility>

namespace trntensor::host {
namespace {

constexpr std::size_t kKeptBytes = std::size_t{64} << 20;

/// The buffers of one thread that are not in use.
struct Store {
  struct Entry {
    AlignedBuffer buffer;
    std::size_t capacity = 0;
  };

  /// The smallest kept buffer that is large enough, or an empty entry.
  Entry take(std::size_t bytes) noexcept {
    Entry* best = nullptr;
    for (Entry& entry : entries) {
      if (entry.capacity >= bytes && entry.buffer && (best == nullptr || entry.capacity < best->capacity)) {
        best = &entry;
      }
    }
    if (best == nullptr) return {};
    kept -= best->capacity;
    return std::exchange(*best, Entry{});
  }

  /// Keeps the buffer in place of the smallest one if that makes the store better within its bound.
  void give(Entry entry) noexcept {
    Entry* smallest = &entries[0];
    for (Entry& other : entries) {
      if (other.capacity < smallest->capacity) smallest = &other;
    }
    if (entry.capacity <= smallest->capacity || kept - smallest->capacity + entry.capacity > kKeptBytes) return;
    kept += entry.capacity - smallest->capacity;
    *smallest = std::move(entry);
  }

  std::array<Entry, 6> entries;
  std::size_t kept = 0;
};

Store& store() {
  thread_local Store of_this_thread;
  return of_this_thread;
}

}  // namespace

Workspace::Workspace(std::size_t bytes) {
  Store::Entry entry = store().take(bytes);
  if (!entry.buffer) entry = {allocate_aligned(bytes), bytes};
  buffer_ = std::move(entry.buffer);
  capacity_ = entry.capacity;
}

Workspace::~Workspace() { store().give({std::move(buffer_), capacity_}); }

}  // namespace trntensor::host
