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
  const Tensor a = Tensor::zeros({3000, 3000}, DType::kFloat64);
  const auto start = std::chrono::steady_clock::now();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  // A thousand products of 2.7e10 multiply-adds: minutes of work unless it is stopped.
  expect_error(ErrorKind::kCancelled, {"cancelled"}, [&] {
    for (int repeat = 0; repeat < 1000; ++repeat) einsum("ij,jk->ik", {a, a}, {.stop = source.get_token()});
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 30.0);
}

}  // namespace
}  // namespace trntensor
