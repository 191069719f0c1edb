#include "trntensor/plan/plan_cache.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "trntensor/plan/thread_hits.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using Cache = LruCache<std::shared_ptr<plan::CachedPlan>>;

constexpr std::int64_t kDefaultCapacity = 1024;
constexpr std::int64_t kLargestCapacity = 1'000'000;

std::atomic<std::uint64_t> age{0};

Cache& cache();

void before_fork() {
  cache().lock_all();
  plan::hits_mutex().lock();
}

void after_fork() {
  plan::hits_mutex().unlock();
  cache().unlock_all();
}

Cache& cache() {
  static Cache plans(environment_integer("TRNTENSOR_PLAN_CACHE_SIZE", 0, kLargestCapacity).value_or(kDefaultCapacity));
  [[maybe_unused]] static const int status = pthread_atfork(before_fork, after_fork, after_fork);
  return plans;
}

/// Appends values as they lie in memory; texts and lists are preceded by their length, so that no two keys run into
/// one another.
class KeyWriter {
 public:
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T value) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    key_.append(bytes.data(), bytes.size());
  }
  void add(std::string_view text) {
    add(text.size());
    key_.append(text);
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  std::string take() { return std::move(key_); }

 private:
  std::string key_;
};

/// Which axis steps over which, and which repeat or run backwards.
void add_stride_kind(KeyWriter& key, const Strides& strides) {
  InlineVector<std::uint32_t, 8> order(strides.size());
  for (std::uint32_t d = 0; d < order.size(); ++d) order[d] = d;
  const auto falling = [&strides](std::uint32_t d) { return strides[d] < 0 ? strides[d] : -strides[d]; };
  std::sort(order.begin(), order.end(), [&falling](std::uint32_t x, std::uint32_t y) {
    return std::pair(falling(x), x) < std::pair(falling(y), y);
  });
  for (const std::uint32_t axis : order) {
    key.add(axis);
    key.add(static_cast<std::int8_t>((strides[axis] > 0) - (strides[axis] < 0)));
  }
}

void add_path(KeyWriter& key, const ContractionPath& path) {
  key.add(path.size());
  for (const std::vector<int>& step : path) {
    key.add(step.size());
    for (const int position : step) key.add(position);
  }
}

}  // namespace

void clear_plan_cache() {
  cache().clear();
  plan::forget_hits();
  age.fetch_add(1, std::memory_order_release);
}

void set_plan_cache_size(std::int64_t plans) {
  if (plans < 0 || plans > kLargestCapacity) {
    throw_invalid(fmt::format("set_plan_cache_size's argument is {}, outside 0..{}", plans, kLargestCapacity), {},
                  "give the number of plans to keep, or 0 for none");
  }
  cache().resize(plans);
  plan::forget_hits();
  age.fetch_add(1, std::memory_order_release);
}

PlanCacheInfo plan_cache_info() {
  PlanCacheInfo info = cache().info();
  info.hits += plan::hits_of_all_threads();
  return info;
}

namespace plan {

std::string cache_key(NotationForm form, std::string_view notation, std::span<const TensorView> operands,
                      const PlanOptions& options, std::string_view backend) {
  KeyWriter key;
  key.add(form);
  key.add(notation);
  key.add(operands.size());
  for (const TensorView& operand : operands) {
    key.add(operand.dtype());
    key.add(operand.shape().size());
    for (const std::int64_t extent : operand.shape()) key.add(extent);
    add_stride_kind(key, operand.strides());
  }
  key.add(options.method);
  key.add(options.dtype);
  key.add(options.output_dtype);
  key.add(options.precision);
  key.add(options.target_forward_error);
  key.add(options.memory_limit);
  key.add(options.path.has_value());
  if (options.path) add_path(key, *options.path);
  key.add(backend);
  return key.take();
}

std::shared_ptr<CachedPlan> find_cached(std::string_view key) {
  auto found = cache().find(key);
  return found ? std::move(*found) : nullptr;
}

void keep_cached(std::string_view key, std::shared_ptr<CachedPlan> plan) { cache().insert(key, std::move(plan)); }

std::uint64_t cache_age() noexcept { return age.load(std::memory_order_acquire); }

}  // namespace plan
}  // namespace trntensor
