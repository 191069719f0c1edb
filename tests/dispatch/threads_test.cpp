// Thread counts, concurrent callers, and cancelling.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::range;

TEST(EinsumThreads, ResultsRepeatForEveryThreadCount) {
  const Tensor a = einsum("i,j->ij", {range<float>({301}), range<float>({257})}, {.alpha = 1e-3});
  const Tensor b = einsum("i,j->ij", {range<float>({257}), range<float>({263})}, {.alpha = 1e-3});
  for (const int threads : {1, 2, 3, 7}) {
    const EinsumOptions options{.num_threads = threads};
    const std::vector<float> first = einsum("ij,jk->ik", {a, b}, options).to_vector<float>();
    for (int repeat = 0; repeat < 3; ++repeat) {
      ASSERT_EQ(einsum("ij,jk->ik", {a, b}, options).to_vector<float>(), first) << threads << " threads";
    }
  }
}

TEST(EinsumThreads, ManyCallersShareTheEngine) {
  const Tensor a = range({40, 50});
  const Tensor b = range({50, 30});
  const std::vector<double> expected = einsum("ij,jk->ik", {a, b}).to_vector<double>();
  std::vector<std::jthread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) wrong += einsum("ij,jk->ik", {a, b}).to_vector<double>() != expected;
    });
  }
  callers.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(EinsumCancel, AStopTokenEndsLongWork) {
  std::stop_source source;
  // Views that repeat one element: 1.7e13 multiply-adds, an hour of work in a single step unless it is stopped.
  const Tensor a = Tensor::zeros({1, 1}, DType::kFloat64).broadcast_to({4096, std::int64_t{1} << 20});
  const Tensor b = Tensor::zeros({1, 1}, DType::kFloat64).broadcast_to({std::int64_t{1} << 20, 4096});
  const auto start = std::chrono::steady_clock::now();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  expect_error(ErrorKind::kCancelled, {"cancelled"},
               [&] { einsum("ij,jk->ik", {a, b}, {.stop = source.get_token()}); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 30.0);
}

}  // namespace
}  // namespace trntensor
