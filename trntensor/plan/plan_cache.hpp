// Plans made before, kept for calls that differ in data only.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

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
/// alpha, beta, threads or the exact strides.
std::string cache_key(NotationForm form, std::string_view notation, std::span<const TensorView> operands,
                      const PlanOptions& options, std::string_view backend);

/// The plan of the key, or null.
std::shared_ptr<const Plan> find_cached(std::string_view key);

/// Keeps a plan.
void keep_cached(std::string_view key, std::shared_ptr<const Plan> plan);

}  // namespace plan
}  // namespace trntensor
