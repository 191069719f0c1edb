// A bounded map that forgets what was not used for longest; safe for many threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace trntensor {

/// What a cache did since it was made or cleared.
struct CacheInfo {
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t evictions = 0;
  std::int64_t size = 0;
  std::int64_t capacity = 0;
};

/// A value that those who found it keep at hand and use without asking the cache again: it tells of such uses, so that
/// it is not taken for one that nobody needs, and is told when the cache no longer has it.
template <typename Value>
concept KeptAtHand = requires(Value& value) {
  { value->take_use() } -> std::same_as<bool>;  // whether it was used since the last question
  value->enter();
  value->leave();
};

/// Keys are byte strings. Large caches are split into shards by hash, each with its own lock and its own order of use,
/// so that threads that hit different entries do not wait for each other; up to 255 entries the order is exact.
template <typename Value>
class LruCache {
 public:
  explicit LruCache(std::int64_t capacity) { resize(capacity); }

  /// Forgets all entries and counts, and holds at most so many entries from then on.
  void resize(std::int64_t capacity) {
    constexpr std::int64_t kShardedFrom = 256;
    std::array<std::unique_lock<std::mutex>, kShards> locks;
    for (std::size_t s = 0; s < kShards; ++s) locks[s] = std::unique_lock(shards_[s].mutex);
    capacity_ = std::max<std::int64_t>(capacity, 0);
    used_shards_ = capacity >= kShardedFrom ? kShards : 1;
    for (std::size_t s = 0; s < kShards; ++s) {
      shards_[s].clear();
      shards_[s].capacity = s < used_shards_ ? (static_cast<std::size_t>(capacity_) + s) / used_shards_ : 0;
    }
  }

  /// The value of the key, which becomes the most recently used one. Counts a hit or a miss.
  std::optional<Value> find(std::string_view key) {
    const LockedShard locked = shard_of(key);
    Shard& shard = *locked.shard;
    const auto entry = shard.index.find(key);
    if (entry == shard.index.end()) {
      ++shard.misses;
      return std::nullopt;
    }
    ++shard.hits;
    shard.order.splice(shard.order.begin(), shard.order, entry->second);
    return entry->second->second;
  }

  /// Keeps the value and forgets the least recently used one where there is no room. A key that is there already keeps
  /// the value it has. Uses at hand count as much as finds, but their order is not known.
  void insert(std::string_view key, Value value) {
    const LockedShard locked = shard_of(key);
    Shard& shard = *locked.shard;
    if (shard.capacity == 0 || shard.index.contains(key)) return;
    if (shard.order.size() == shard.capacity) shard.evict();
    if constexpr (KeptAtHand<Value>) value->enter();
    shard.order.emplace_front(std::string(key), std::move(value));
    shard.index.emplace(shard.order.front().first, shard.order.begin());
  }

  void clear() {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.clear();
    }
  }

  /// Around a fork, so that the child has no lock that a thread of the parent holds.
  void lock_all() {
    for (Shard& shard : shards_) shard.mutex.lock();
  }
  void unlock_all() {
    for (Shard& shard : shards_) shard.mutex.unlock();
  }

  [[nodiscard]] CacheInfo info() const {
    CacheInfo info;
    info.capacity = capacity_;
    for (const Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      info.hits += shard.hits;
      info.misses += shard.misses;
      info.evictions += shard.evictions;
      info.size += static_cast<std::int64_t>(shard.order.size());
    }
    return info;
  }

 private:
  using Order = std::list<std::pair<std::string, Value>>;

  struct Shard {
    mutable std::mutex mutex;
    Order order;  // most recently used first
    std::unordered_map<std::string_view, typename Order::iterator> index;
    std::size_t capacity = 0;
    std::int64_t hits = 0;
    std::int64_t misses = 0;
    std::int64_t evictions = 0;

    void evict() {
      if constexpr (KeptAtHand<Value>) {
        for (std::size_t spared = 1; spared < order.size() && order.back().second->take_use(); ++spared) {
          order.splice(order.begin(), order, std::prev(order.end()));
        }
        order.back().second->leave();
      }
      index.erase(order.back().first);
      order.pop_back();
      ++evictions;
    }

    void clear() {
      if constexpr (KeptAtHand<Value>) {
        for (auto& entry : order) entry.second->leave();
      }
      index.clear();
      order.clear();
      hits = misses = evictions = 0;
    }
  };

  struct LockedShard {
    Shard* shard;
    std::unique_lock<std::mutex> lock;
  };

  LockedShard shard_of(std::string_view key) {
    // The map uses the hash's low bits, so the shard takes high ones.
    const std::size_t hash = std::hash<std::string_view>{}(key) >> 32;
    for (;;) {
      const std::size_t used = used_shards_;
      Shard& shard = shards_[hash % used];
      std::unique_lock lock(shard.mutex);
      if (used == used_shards_) return {&shard, std::move(lock)};  // else the cache was resized meanwhile
    }
  }

  static constexpr std::size_t kShards = 16;

  std::atomic<std::int64_t> capacity_ = 0;
  std::atomic<std::size_t> used_shards_ = 1;  // changes while all shards are locked
  std::array<Shard, kShards> shards_;
};

}  // namespace trntensor
