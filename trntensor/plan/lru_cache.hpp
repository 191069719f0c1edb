// A bounded map that forgets what was not used for longest; safe for many threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace trntensor {

/// What a cache did since it was made or cleared.
struct CacheInfo {
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t evictions = 0;
  std::int64_t size = 0;
  std::int64_t capacity = 0;
};

/// Keys are byte strings. Large caches are split into shards by hash, each with its own lock and its own order of use,
/// so that threads that hit different entries do not wait for each other; below 256 entries the order is exact.
template <typename Value>
class LruCache {
 public:
  explicit LruCache(std::int64_t capacity) : capacity_(std::max<std::int64_t>(capacity, 0)) {
    constexpr std::int64_t kShardedFrom = 256;
    constexpr std::size_t kShards = 16;
    shards_ = std::vector<Shard>(capacity_ >= kShardedFrom ? kShards : 1);
    shard_capacity_ = static_cast<std::size_t>(capacity_) / shards_.size();
  }

  /// The value of the key, which becomes the most recently used one. Counts a hit or a miss.
  std::optional<Value> find(std::string_view key) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
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
  /// the value it has.
  void insert(std::string_view key, Value value) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    if (shard_capacity_ == 0 || shard.index.contains(key)) return;
    shard.order.emplace_front(std::string(key), std::move(value));
    shard.index.emplace(shard.order.front().first, shard.order.begin());
    if (shard.order.size() <= shard_capacity_) return;
    shard.index.erase(shard.order.back().first);
    shard.order.pop_back();
    ++shard.evictions;
  }

  void clear() {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.index.clear();
      shard.order.clear();
      shard.hits = shard.misses = shard.evictions = 0;
    }
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
    std::int64_t hits = 0;
    std::int64_t misses = 0;
    std::int64_t evictions = 0;
  };

  Shard& shard_of(std::string_view key) {
    // The map uses the hash's low bits, so the shard takes high ones.
    return shards_[shards_.size() == 1 ? 0 : (std::hash<std::string_view>{}(key) >> 32) % shards_.size()];
  }

  std::int64_t capacity_ = 0;
  std::size_t shard_capacity_ = 0;
  std::vector<Shard> shards_;
};

}  // namespace trntensor
