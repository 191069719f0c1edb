// Plans made before, kept for calls that differ in data only.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "trntensor/plan/lru_cache.hpp"
#include "trntensor/plan/options.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor {

using PlanCacheInfo = CacheInfo;

/// Forgets all plans and counts.
void clear_plan_cache();

/// Forgets all plans and counts, and holds at most `plans` of them from then on; 0 for none. The programmatic twin of
/// TRNTENSOR_PLAN_CACHE_SIZE, which must be valid too. Throws InvalidArgument outside 0 to 1000000.
void set_plan_cache_size(std::int64_t plans);

/// Hits, misses, evictions, plans held and the most it holds: what set_plan_cache_size said, else
/// TRNTENSOR_PLAN_CACHE_SIZE, else 1024. Throws InvalidArgument when the variable's text is not a whole number from 0
/// to 1000000.
PlanCacheInfo plan_cache_info();

namespace plan {

/// What the text of a cache key is.
enum class NotationForm : std::uint8_t {
  kText,     ///< subscripts as a caller wrote them
  kNumbers,  ///< a spec of numbered labels
};

/// Everything a plan depends on, as bytes: the notation, and each operand's shape, element type and kind of strides
/// (order of the axes in memory, which are 0 or negative), the options and the backend. Plans do not depend on data,
/// alpha, beta, the seed, threads or the exact strides.
std::string cache_key(NotationForm form, std::string_view notation, std::span<const TensorView> operands,
                      const PlanOptions& options, std::string_view backend);

/// A plan of the cache. Whoever found it may keep it at hand and use it again, as long as `is_kept`, if every such use
/// is noted and counted (ThreadHits).
class CachedPlan {
 public:
  explicit CachedPlan(Plan plan) : plan_(std::move(plan)) {}

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }

  /// Whether the cache has it.
  [[nodiscard]] bool is_kept() const noexcept { return is_kept_.load(std::memory_order_acquire); }

  /// Notes a use at hand. Threads share what it reads; it is written only once between two evictions.
  void note_use() noexcept {
    if (!was_used_.load(std::memory_order_relaxed)) was_used_.store(true, std::memory_order_relaxed);
  }

  /// For the cache.
  bool take_use() noexcept { return was_used_.exchange(false, std::memory_order_relaxed); }
  void enter() noexcept { is_kept_.store(true, std::memory_order_release); }
  void leave() noexcept { is_kept_.store(false, std::memory_order_release); }

 private:
  Plan plan_;
  std::atomic<bool> is_kept_ = false;
  std::atomic<bool> was_used_ = false;
};

/// The plan of the key, or null.
std::shared_ptr<CachedPlan> find_cached(std::string_view key);

/// Keeps a plan.
void keep_cached(std::string_view key, std::shared_ptr<CachedPlan> plan);

/// Grows each time all plans are forgotten.
std::uint64_t cache_age() noexcept;

}  // namespace plan
}  // namespace trntensor
