// A hash table from keys that live elsewhere to their index there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace trntensor::plan {

/// Open addressing; an entry is the index of an element of some list, which the caller compares.
class IndexTable {
 public:
  /// Forgets all entries and keeps the memory.
  void clear() {
    slots_.assign(slots_.size(), Slot{});
    count_ = 0;
  }

  /// The index whose element `equals(index)`, else `next`, which is added. True when it was added.
  template <typename Equals>
  std::pair<std::uint32_t, bool> find_or_add(std::uint64_t hash, std::uint32_t next, Equals&& equals) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    const std::uint64_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::uint64_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.index == kFree) {
        slot = {static_cast<std::uint32_t>(hash), tag, next};
        ++count_;
        return {next, true};
      }
      if (slot.tag == tag && equals(slot.index)) return {slot.index, false};
    }
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t low = 0;  // of the hash
    std::uint32_t tag = 0;  // high part of it
    std::uint32_t index = kFree;
  };

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    const std::uint64_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.index == kFree) continue;
      std::uint64_t at = slot.low & mask;
      while (slots_[at].index != kFree) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half in use
  std::size_t count_ = 0;
};

}  // namespace trntensor::plan
