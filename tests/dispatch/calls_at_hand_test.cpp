// Calls that were made before: they are counted, forgotten with the plan cache, and checked for what may differ.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/call_key.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/host/kernels/table.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::ones;
using testing::range;

/// A cache of so many plans for the length of a test, empty at first.
struct CacheOf {
  explicit CacheOf(std::int64_t plans) { set_plan_cache_size(plans); }
  ~CacheOf() { set_plan_cache_size(before); }
  std::int64_t before = plan_cache_info().capacity;
};

void expect_counts(std::int64_t hits, std::int64_t misses, std::int64_t size) {
  const PlanCacheInfo info = plan_cache_info();
  EXPECT_EQ(info.hits, hits);
  EXPECT_EQ(info.misses, misses);
  EXPECT_EQ(info.size, size);
}

TEST(CallsAtHand, CountAsHitsOfTheCache) {
  const CacheOf cache(100);
  const Tensor a = range({3, 3});
  for (int call = 0; call < 5; ++call) einsum("ij,jk->ik", {a, a});
  expect_counts(4, 1, 1);
  // Other strides of the same kind: another program of the same plan.
  const Tensor wide = range({3, 6}).slice(1, 0, 3);
  for (int call = 0; call < 3; ++call) einsum("ij,jk->ik", {wide, a});
  expect_counts(7, 1, 1);
  einsum("ij,jk->ki", {a, a});
  expect_counts(7, 2, 2);
}

TEST(CallsAtHand, AreForgottenWithTheCache) {
  const CacheOf cache(100);
  const Tensor a = range({3, 3});
  for (int call = 0; call < 3; ++call) einsum("ij,jk->ik", {a, a});
  clear_plan_cache();
  expect_counts(0, 0, 0);
  einsum("ij,jk->ik", {a, a});
  expect_counts(0, 1, 1);
  set_plan_cache_size(0);
  for (int call = 0; call < 3; ++call) einsum("ij,jk->ik", {a, a});
  expect_counts(0, 3, 0);
}

TEST(CallsAtHand, AreForgottenWithAPlanThatMadeRoom) {
  const CacheOf cache(1);
  const Tensor a = range({3, 3});
  einsum("ij,jk->ik", {a, a});
  einsum("ij,jk->ik", {a, a});
  einsum("ij,kj->ik", {a, a});
  einsum("ij,jk->ik", {a, a});
  expect_counts(1, 3, 1);
  EXPECT_EQ(plan_cache_info().evictions, 2);
}

TEST(CallsAtHand, KeepTheirPlanFromMakingRoom) {
  const CacheOf cache(2);
  const Tensor a = range({3, 3});
  einsum("ij,jk->ik", {a, a});
  einsum("ij,kj->ik", {a, a});
  einsum("ij,jk->ik", {a, a});  // at hand; so the other one was not used for longest
  einsum("ji,jk->ik", {a, a});
  einsum("ij,jk->ik", {a, a});
  expect_counts(2, 3, 2);
}

// More calls than there are places, with keys that differ in one extent only.
TEST(CallsAtHand, MayBeMoreThanThereAreRoomFor) {
  const CacheOf cache(1000);
  for (int round = 0; round < 3; ++round) {
    for (std::int64_t n = 1; n < 300; ++n) {
      const Tensor a = ones({2, n});
      testing::expect_values(einsum("ij,kj->ik", {a, a}), {2, 2}, std::vector<double>(4, static_cast<double>(n)));
    }
  }
  expect_counts(2 * 299, 299, 299);
}

TEST(CallsAtHand, TellOptionsApart) {
  const Tensor a = range<float>({2, 2});
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(einsum("ij,jk->ik", {a, a}).dtype(), DType::kFloat32);
    EXPECT_EQ(einsum("ij,jk->ik", {a, a}, {.dtype = DType::kFloat64}).dtype(), DType::kFloat64);
    EXPECT_EQ(einsum("ij,jk->ik", {a, a}, {.precision = Precision::kKahan}).to_vector<double>(),
              (std::vector<double>{2, 3, 6, 11}));
    const EinsumOptions doubled{.alpha = 2.0};
    EXPECT_EQ(einsum("ij,jk->ik", {a, a}, doubled).to_vector<double>(), (std::vector<double>{4, 6, 12, 22}));
    const EinsumOptions nothing{.alpha = 0.0};
    EXPECT_EQ(einsum("ij,jk->ik", {a, a}, nothing).to_vector<double>(), (std::vector<double>(4, 0.0)));
    expect_error(ErrorKind::kOutOfMemory, {"memory"}, [&] { einsum("ij,jk->ik", {a, a}, {.memory_limit = 4}); });
  }
}

TEST(CallsAtHand, CheckWhatMayDiffer) {
  const Tensor a = range({2, 2});
  const Tensor whole = Tensor::zeros({2, 2}, DType::kFloat64);
  for (int call = 0; call < 2; ++call) {
    einsum("ij,jk->ik", {a, a}, {.beta = 1.0, .out = whole});
    expect_error(ErrorKind::kInvalidArgument, {"beta", "out"}, [&] { einsum("ij,jk->ik", {a, a}, {.beta = 1.0}); });
    expect_error(ErrorKind::kInvalidArgument, {"shares memory", "operand 0"},
                 [&] { einsum("ij,jk->ik", {a, ones({2, 2})}, {.out = a}); });
    expect_error(ErrorKind::kInvalidArgument, {"alpha", "real"},
                 [&] { einsum("ij,jk->ik", {a, a}, {.alpha = {0.0, 1.0}}); });
    expect_error(ErrorKind::kInvalidArgument, {"shape"},
                 [&] { einsum("ij,jk->ik", {a, a}, {.out = Tensor::zeros({2, 3}, DType::kFloat64)}); });
    expect_error(ErrorKind::kInvalidArgument, {"num_threads"},
                 [&] { einsum("ij,jk->ik", {a, a}, {.num_threads = -1}); });
  }
  testing::expect_values(whole, {2, 2}, {4, 6, 12, 22});
}

// Interleaved with an operand, without a common byte: the exact test decides.
TEST(CallsAtHand, WriteBetweenTheElementsOfAnOperand) {
  const Tensor both = ones({2, 4});
  const Tensor a = both.slice(1, 0, 4, 2);
  const Tensor out = both.slice(1, 1, 4, 2);
  for (int call = 0; call < 3; ++call) {
    einsum("ij,jk->ik", {a, ones({2, 2})}, {.out = out});
    testing::expect_values(both, {2, 4}, {1, 2, 1, 2, 1, 2, 1, 2});
  }
}

TEST(CallsAtHand, FollowTheChoiceOfKernels) {
  // Fused multiply-adds keep the low half of the product, the generic kernel rounds it away.
  const double x = 1 + 0x1p-30;
  const Tensor a = Tensor::from_values<double>({1, 2}, {x, -1.0});
  const Tensor b = Tensor::from_values<double>({2, 1}, {x, 1 + 0x1p-29});
  const auto value_by = [&](const std::string& kernel) {
    set_host_kernel(kernel);
    return Contraction("ij,jk->ik", {a, b})({a, b}).item<double>();
  };
  for (const std::string& kernel : host_kernel_names()) {
    const double expected = value_by(kernel);
    EXPECT_EQ(einsum("ij,jk->ik", {a, b}).item<double>(), expected) << kernel;
    EXPECT_EQ(einsum("ij,jk->ik", {a, b}).item<double>(), expected) << kernel;
  }
  set_host_kernel("");
}

TEST(CallKey, IsMissingForCallsThatAreNotKept) {
  const Tensor a = range({2, 2});
  const std::vector<TensorView> operands{a, a};
  const auto is_complete = [&](std::string_view text, const EinsumOptions& options) {
    return dispatch::CallKey(text, operands, options).is_complete();
  };
  EXPECT_TRUE(is_complete("ij,jk->ik", {}));
  EXPECT_FALSE(is_complete("ij,jk->ik", {.path = ContractionPath{{0, 1}}}));
  EXPECT_FALSE(is_complete(std::string(2000, ' ') + "ij,jk->ik", {}));
  EXPECT_EQ(einsum(std::string(2000, ' ') + "ij,jk->ik", {a, a}).to_vector<double>(),
            (std::vector<double>{2, 3, 6, 11}));
}

TEST(CallsAtHandThreads, CountEveryHitOfEveryThread) {
  const CacheOf cache(100);
  const Tensor a = range({3, 3});
  const std::vector<double> expected = einsum("ij,jk->ik", {a, a}).to_vector<double>();
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int call = 0; call < 500; ++call) wrong += einsum("ij,jk->ik", {a, a}).to_vector<double>() != expected;
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  expect_counts(2000, 1, 1);  // also those of threads that have ended
}

TEST(CallsAtHandThreads, CallWhileTheCacheIsClearedAndResized) {
  const CacheOf cache(100);
  const Tensor a = range({2, 2});
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          wrong += einsum("ij,jk->ik", {a, a}).to_vector<double>() != std::vector<double>{2, 3, 6, 11};
          wrong += einsum("ij,kj->ik", {a, a}).to_vector<double>() != std::vector<double>{1, 3, 3, 13};
        }
      });
    }
    for (int i = 0; i < 300; ++i) {
      if (i % 3 == 0) clear_plan_cache();
      if (i % 3 == 1) set_plan_cache_size(i % 2 == 0 ? 1 : 100);
      if (i % 3 == 2) static_cast<void>(plan_cache_info());
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace trntensor
