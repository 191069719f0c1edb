// The memory limit: kept, by another order if need be, or refused with both numbers.
#include <gtest/gtest.h>

#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::is_legal;
using testing::plan_of;
using testing::Sizes;

TEST(MemoryLimit, DoesNotBindAPlanThatFits) {
  const Plan free = plan_of("ij,jk,kl->il", Sizes{{"i", 64}, {"j", 4}, {"k", 4}, {"l", 64}});
  const auto need = static_cast<std::int64_t>(free.contents().peak_bytes);
  EXPECT_EQ(plan_of(free.spec(), {.memory_limit = need}), free);
}

TEST(MemoryLimit, IsRefusedWithTheNeedAndTheLimit) {
  expect_error(ErrorKind::kOutOfMemory, {"32 KiB", "1000 B", "32768 bytes against 1000", "ij,jk->ik"},
               [] { plan_of("ij,jk->ik", {{"i", 64}, {"j", 4}, {"k", 64}}, {.memory_limit = 1000}); });
}

TEST(MemoryLimit, OfAGivenPathIsNotMendedByAnotherOne) {
  const Sizes sizes{{"i", 64}, {"j", 4}, {"k", 64}};
  const Plan other = plan_of("ij,jk,k->i", sizes);
  const auto limit = static_cast<std::int64_t>(other.contents().peak_bytes);
  EXPECT_EQ(plan_of("ij,jk,k->i", sizes, {.memory_limit = limit}), other);
  expect_error(ErrorKind::kOutOfMemory, {"leave the path out"},
               [&] { plan_of("ij,jk,k->i", sizes, {.path = ContractionPath{{0, 1}, {0, 1}}, .memory_limit = limit}); });
}

// The cheapest order makes ik, 10 000 elements; the other makes jl, 2 500, for 2.5 times the multiply-adds.
TEST(MemoryLimit, IsKeptByAnotherOrderWhereThatFits) {
  const Sizes sizes{{"i", 1000}, {"j", 50}, {"k", 10}, {"l", 50}};
  for (const PathMethod method : {PathMethod::kAuto, PathMethod::kGreedy, PathMethod::kOptimal}) {
    const Plan cheapest = plan_of("ij,jk,kl->il", sizes, {.method = method});
    EXPECT_EQ(cheapest.contents().macs, 1e6);
    EXPECT_EQ(cheapest.contents().peak_bytes, 8 * (10000 + 50000));
    const Plan smaller = plan_of("ij,jk,kl->il", sizes, {.method = method, .memory_limit = 8 * 55000});
    EXPECT_TRUE(is_legal(smaller));
    EXPECT_EQ(smaller.contents().macs, 2.525e6);
    EXPECT_EQ(smaller.contents().peak_bytes, 8 * (2500 + 50000));
    EXPECT_EQ(smaller.contents().method, "greedy");
  }
}

}  // namespace
}  // namespace trntensor
