// The bounded cache, its order of use, and what makes two calls different.
#include "trntensor/plan/plan_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/common/expect_error.hpp"
namespace trntensor {
namespace {

TEST(LruCache, ForgetsWhatWasNotUsedForLongest) {
  LruCache<int> cache(2);
  cache.insert("a", 1);
  cache.insert("b", 2);
  EXPECT_EQ(cache.find("a"), 1);
  cache.insert("c", 3);
  EXPECT_EQ(cache.find("b"), std::nullopt);
  EXPECT_EQ(cache.find("a"), 1);
  EXPECT_EQ(cache.find("c"), 3);
  const CacheInfo info = cache.info();
  EXPECT_EQ(info.hits, 3);
  EXPECT_EQ(info.misses, 1);
  EXPECT_EQ(info.evictions, 1);
  EXPECT_EQ(info.size, 2);
  EXPECT_EQ(info.capacity, 2);
}

TEST(LruCache, KeepsTheValueOfAKeyThatIsThere) {
  LruCache<int> cache(4);
  cache.insert("a", 1);
  cache.insert("a", 2);
  EXPECT_EQ(cache.find("a"), 1);
  EXPECT_EQ(cache.info().size, 1);
}

TEST(LruCache, HoldsNothingWhenItsCapacityIsZero) {
  LruCache<int> cache(0);
  cache.insert("a", 1);
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST(LruCache, ClearForgetsEntriesAndCounts) {
  LruCache<int> cache(1000);
  for (int i = 0; i < 100; ++i) cache.insert(std::to_string(i), i);
  EXPECT_EQ(cache.info().size, 100);
  cache.clear();
  EXPECT_EQ(cache.info().size, 0);
  EXPECT_EQ(cache.find("1"), std::nullopt);
  EXPECT_EQ(cache.info().misses, 1);
}

TEST(LruCache, ResizingForgetsEntriesAndHoldsWhatItSays) {
  LruCache<int> cache(2);
  cache.insert("a", 1);
  for (const std::int64_t capacity : {1000, 3, 0}) {
    cache.resize(capacity);
    EXPECT_EQ(cache.info().size, 0);
    EXPECT_EQ(cache.info().capacity, capacity);
    for (int i = 0; i < 20000; ++i) cache.insert(std::to_string(i), i);
    EXPECT_EQ(cache.info().size, capacity);
  }
}

/// A value that notes whether the cache has it.
struct Followed {
  bool take_use() { return std::exchange(used, false); }
  void enter() { is_kept = true; }
  void leave() { is_kept = false; }

  bool used = false;
  bool is_kept = false;
};

TEST(LruCache, SparesWhatIsUsedAtHand) {
  LruCache<std::shared_ptr<Followed>> cache(2);
  const std::vector<std::shared_ptr<Followed>> values{std::make_shared<Followed>(), std::make_shared<Followed>(),
                                                      std::make_shared<Followed>()};
  EXPECT_FALSE(values[0]->is_kept);
  cache.insert("a", values[0]);
  cache.insert("b", values[1]);
  EXPECT_TRUE(values[0]->is_kept);
  values[0]->used = true;  // although it was not found since
  cache.insert("c", values[2]);
  EXPECT_TRUE(values[0]->is_kept);
  EXPECT_FALSE(values[1]->is_kept);
  EXPECT_EQ(cache.find("b"), std::nullopt);
  EXPECT_TRUE(cache.find("a").has_value());
  cache.clear();
  EXPECT_FALSE(values[0]->is_kept);
  EXPECT_FALSE(values[2]->is_kept);
}

TEST(LruCache, MakesRoomAlsoWhenEverythingIsUsedAtHand) {
  for (const std::int64_t capacity : {1, 3}) {
    LruCache<std::shared_ptr<Followed>> cache(capacity);
    for (int i = 0; i < 10; ++i) {
      const auto value = std::make_shared<Followed>();
      value->used = true;
      cache.insert(std::to_string(i), value);
      EXPECT_TRUE(value->is_kept) << "the newest one is kept, whatever the others";
      EXPECT_LE(cache.info().size, capacity);
    }
    EXPECT_EQ(cache.info().evictions, 10 - capacity);
  }
}

TEST(LruCache, StaysWithinItsCapacityWhenItIsSharded) {
  LruCache<int> cache(512);
  for (int i = 0; i < 10000; ++i) cache.insert(std::to_string(i), i);
  EXPECT_LE(cache.info().size, 512);
  EXPECT_GE(cache.info().size, 256);  // hashes spread over the shards
}

TEST(PlanCache, IsSizedByTheProgramToo) {
  const std::int64_t before = plan_cache_info().capacity;
  set_plan_cache_size(5);
  EXPECT_EQ(plan_cache_info().capacity, 5);
  set_plan_cache_size(before);
  for (const std::int64_t plans : {std::int64_t{-1}, std::int64_t{1'000'001}}) {
    testing::expect_error(ErrorKind::kInvalidArgument, {"set_plan_cache_size", std::to_string(plans)},
                          [&] { set_plan_cache_size(plans); });
  }
}

TEST(LruCacheThreads, FindWhileTheCacheIsResized) {
  LruCache<int> cache(512);
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&cache, &wrong](const std::stop_token& stop) {
        for (int i = 0; !stop.stop_requested(); i = (i + 1) % 600) {
          cache.insert(std::to_string(i), i);
          const auto found = cache.find(std::to_string(i));
          wrong += found.has_value() && *found != i;
        }
      });
    }
    for (int i = 0; i < 200; ++i) cache.resize(i % 2 == 0 ? 10 : 1000);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(LruCacheThreads, ManyThreadsFindWhatTheyKept) {
  LruCache<int> cache(512);
  std::vector<std::jthread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&cache, &wrong, t] {
      for (int i = 0; i < 2000; ++i) {
        const int value = (i * 7 + t) % 900;
        cache.insert(std::to_string(value), value);
        const auto found = cache.find(std::to_string(value));
        wrong += found.has_value() && *found != value;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cache.info().hits + cache.info().misses, 8 * 2000);
}

TEST(PlanCacheKey, ChangesWithEverythingAPlanDependsOn) {
  std::vector<double> memory(64);
  const TensorView a(memory.data(), DType::kFloat64, {4, 4});
  const TensorView b(memory.data(), DType::kFloat64, {4, 4});
  const auto key = [](std::string_view text, std::vector<TensorView> operands, const PlanOptions& options = {},
                      std::string_view backend = "host") {
    return plan::cache_key(plan::NotationForm::kText, text, operands, options, backend);
  };
  std::set<std::string> keys;
  const std::string same = key("ij,jk->ik", {a, b});
  keys.insert(same);
  keys.insert(key("ij,jk->ki", {a, b}));
  keys.insert(key("ij,jk->ik", {TensorView(memory.data(), DType::kFloat64, {2, 4}), b}));
  keys.insert(key("ij,jk->ik", {TensorView(memory.data(), DType::kFloat32, {4, 4}), b}));
  keys.insert(key("ij,jk->ik", {a.permute({1, 0}), b}));
  keys.insert(key("ij,jk->ik", {a.reverse(0), b}));
  keys.insert(key("ij,jk->ik", {a.select(0, 0).insert_axis(0).broadcast_to({4, 4}), b}));
  keys.insert(key("ij,jk->ik", {a, b}, {.method = PathMethod::kGreedy}));
  keys.insert(key("ij,jk->ik", {a, b}, {.path = ContractionPath{{0, 1}}}));
  keys.insert(key("ij,jk->ik", {a, b}, {.dtype = DType::kFloat32}));
  keys.insert(key("ij,jk->ik", {a, b}, {.output_dtype = DType::kFloat32}));
  keys.insert(key("ij,jk->ik", {a, b}, {.precision = Precision::kKahan}));
  keys.insert(key("ij,jk->ik", {a, b}, {.target_forward_error = 1e-3}));
  keys.insert(key("ij,jk->ik", {a, b}, {.target_forward_error = 1e-4}));
  keys.insert(key("ij,jk->ik", {a, b}, {.memory_limit = 4}));
  keys.insert(key("ij,jk->ik", {a, b}, {}, "neuron"));
  keys.insert(plan::cache_key(plan::NotationForm::kNumbers, "ij,jk->ik", std::vector<TensorView>{a, b}, {}, "host"));
  EXPECT_EQ(keys.size(), 17U);
  // Steps of another length are the same kind of strides.
  const TensorView wide(memory.data(), DType::kFloat64, {4, 4}, {16, 1});
  EXPECT_EQ(key("ij,jk->ik", {wide, b}), same);
}

}  // namespace
}  // namespace trntensor
