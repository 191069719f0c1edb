// Small calls allocate no more than their result.
#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "tests/dispatch/counted_memory.hpp"
#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

/// Of one call, after one that prepares it.
template <typename Call>
testing::Taken taken_again(const Call& call) {
  call();
  return testing::taken_by(call);
}

template <typename Call>
std::int64_t allocations_of(const Call& call) {
  return taken_again(call).allocations;
}

TEST(Allocations, AreCounted) {
  // Compilers may leave new-expressions out, but no plain calls.
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(sizeof(int))); }), 1);
  EXPECT_EQ(allocations_of([] { static_cast<void>(Tensor::empty({3, 3}, DType::kFloat64)); }), 1);
  EXPECT_EQ(allocations_of([] { static_cast<void>(Tensor::empty({300, 300}, DType::kFloat64)); }), 2);
}

TEST(Allocations, ACachedEinsumMakesOneForItsResult) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kComplex128, DType::kInt64}) {
    const Tensor a = Tensor::full({4, 4}, 1.0, dtype);
    EXPECT_EQ(allocations_of([&] { static_cast<void>(einsum("ij,jk->ik", {a, a})); }), 1);
    EXPECT_EQ(allocations_of([&] { static_cast<void>(einsum("ij,kj->ik", {a, a}, {.alpha = 2.0})); }), 1);
  }
  const Tensor batch = testing::ones({1000, 8, 8});
  EXPECT_EQ(allocations_of([&] { static_cast<void>(einsum("bij,bjk->bik", {batch, batch}, {.num_threads = 1})); }), 2)
      << "from 64 KiB up the reference count is a block of its own";
}

TEST(Allocations, ACachedEinsumTakesTheBytesOfItsResult) {
  constexpr std::int64_t kCounts = 128;  // what is kept beside the elements, and their alignment
  for (const std::int64_t n : {2, 8, 32, 60}) {
    const Tensor a = testing::ones({n, n});
    const std::int64_t result = n * n * 8;
    const std::int64_t bytes = taken_again([&] { static_cast<void>(einsum("ij,jk->ik", {a, a})); }).bytes;
    EXPECT_GE(bytes, result);
    EXPECT_LE(bytes, result + kCounts);
  }
}

TEST(Allocations, ACachedEinsumIntoOutMakesNone) {
  const Tensor a = testing::ones({3, 3});
  const EinsumOptions options{.beta = 1.0, .out = testing::ones({3, 3})};
  EXPECT_EQ(allocations_of([&] { static_cast<void>(einsum("ij,jk->ik", {a, a}, options)); }), 0);
}

TEST(Allocations, StochasticRoundingNeedsNoTemporaryOfTheResultsSize) {
  const Tensor a = Tensor::full({3000, 2}, 0.1, DType::kFloat32);
  EinsumOptions options{.precision = Precision::kStochastic, .num_threads = 1};
  options.out = Tensor::empty({3000, 3000}, DType::kFloat32);  // its sums in float64 take 72 MB
  EXPECT_LT(testing::taken_by([&] { einsum("ij,kj->ik", {a, a}, options); }).bytes, 16'000'000);
}

TEST(Allocations, APreparedContractionMakesNone) {
  const Tensor a = testing::ones({32, 32});
  const Tensor batch = testing::ones({20, 8, 8});
  const std::vector<TensorView> matrices{a, a};
  const std::vector<TensorView> batches{batch, batch};
  for (const char* text : {"ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ji,kj->ik", "ij,jk->ki"}) {
    const Contraction contraction(text, matrices);
    const Tensor out = contraction(matrices);
    const Scale scale{.alpha = 2.0, .beta = 1.0};
    EXPECT_EQ(allocations_of([&] { contraction.run_into(matrices, out.mutable_view()); }), 0) << text;
    EXPECT_EQ(allocations_of([&] { contraction.run_into(matrices, out.mutable_view(), scale); }), 0) << text;
  }
  const Contraction contraction("bij,bjk->bik", batches);
  const Tensor out = contraction(batches);
  EXPECT_EQ(allocations_of([&] { contraction.run_into(batches, out.mutable_view()); }), 0);
}

}  // namespace
}  // namespace trntensor
