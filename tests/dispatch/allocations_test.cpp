// Small calls allocate no more than their result: operator new and posix_memalign, which aligned memory comes from,
// count.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace {

std::atomic<int> allocations{0};
std::atomic<std::size_t> allocated_bytes{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  allocated_bytes.fetch_add(bytes, std::memory_order_relaxed);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* counted_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = counted(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The forms with brackets call these.
void* operator new(std::size_t bytes) { return counted_or_throw(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

extern "C" int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  *memory = counted(bytes, alignment);
  return *memory == nullptr ? ENOMEM : 0;
}

namespace trntensor {
namespace {

/// Allocations of one call, after one that prepares it.
template <typename Call>
int allocations_of(const Call& call) {
  call();
  const int before = allocations;
  call();
  return allocations - before;
}

TEST(Allocations, AreCounted) {
  EXPECT_EQ(allocations_of([] { delete new int; }), 1);
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

TEST(Allocations, ACachedEinsumIntoOutMakesNone) {
  const Tensor a = testing::ones({3, 3});
  const EinsumOptions options{.beta = 1.0, .out = testing::ones({3, 3})};
  EXPECT_EQ(allocations_of([&] { static_cast<void>(einsum("ij,jk->ik", {a, a}, options)); }), 0);
}

TEST(Allocations, StochasticRoundingNeedsNoTemporaryOfTheResultsSize) {
  const Tensor a = Tensor::full({3000, 2}, 0.1, DType::kFloat32);
  EinsumOptions options{.precision = Precision::kStochastic, .num_threads = 1};
  options.out = Tensor::empty({3000, 3000}, DType::kFloat32);  // its sums in float64 take 72 MB
  const std::size_t before = allocated_bytes;
  einsum("ij,kj->ik", {a, a}, options);
  EXPECT_LT(allocated_bytes - before, 16'000'000);
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
