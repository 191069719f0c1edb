// Whether views share a byte: the usual cases by name, random ones against a set of all bytes.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "trntensor/support/random.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {
namespace {

bool overlap(const TensorView& a, const TensorView& b) {
  const bool forward =
      may_overlap(a.bytes(), size_of(a.dtype()), a.layout(), b.bytes(), size_of(b.dtype()), b.layout());
  const bool backward =
      may_overlap(b.bytes(), size_of(b.dtype()), b.layout(), a.bytes(), size_of(a.dtype()), a.layout());
  EXPECT_EQ(forward, backward);
  return forward;
}

TEST(Overlap, HalvesOfOneBufferDoNot) {
  const Tensor a = Tensor::zeros({10, 10}, DType::kFloat64);
  EXPECT_FALSE(overlap(a.slice(1, 0, 5), a.slice(1, 5, 10)));
  EXPECT_FALSE(overlap(a.slice(0, 0, 5), a.slice(0, 5, 10)));
  EXPECT_FALSE(overlap(a.slice(1, 0, 5).reverse(0), a.slice(1, 5, 10).permute({1, 0}).reverse(1)));
  EXPECT_TRUE(overlap(a.slice(1, 0, 6), a.slice(1, 5, 10)));
  EXPECT_TRUE(overlap(a.slice(1, 0, 6).reverse(1), a.slice(1, 5, 10).reverse(0)));
}

TEST(Overlap, InterleavedStepsDoNot) {
  const Tensor a = Tensor::zeros({11, 9}, DType::kFloat32);
  EXPECT_FALSE(overlap(a.slice(0, 0, 11, 2), a.slice(0, 1, 11, 2)));
  EXPECT_FALSE(overlap(a.slice(1, 0, 9, 2), a.slice(1, 1, 9, 2)));
  EXPECT_FALSE(overlap(a.slice(1, 0, 9, 3), a.slice(1, 2, 9, 3).reverse(0)));
  EXPECT_TRUE(overlap(a.slice(1, 0, 9, 2), a.slice(1, 0, 9, 3)));
  EXPECT_TRUE(overlap(a.slice(0, 0, 11, 2), a.slice(0, 1, 11, 3)));
}

TEST(Overlap, PartsOfAMatrixAndItsTranspose) {
  const Tensor a = Tensor::zeros({8, 8}, DType::kInt16);
  EXPECT_TRUE(overlap(a, a.permute({1, 0})));
  EXPECT_FALSE(overlap(a.slice(0, 0, 4).slice(1, 4, 8), a.permute({1, 0}).slice(0, 0, 4).slice(1, 4, 8)));
  EXPECT_FALSE(overlap(a.diagonal(0, 1), a.slice(0, 0, 7).slice(1, 1, 8).diagonal(0, 1)));
  EXPECT_TRUE(overlap(a.diagonal(0, 1), a.select(0, 3)));
}

TEST(Overlap, BroadcastAxesDoNotCount) {
  const Tensor a = Tensor::zeros({6}, DType::kFloat64);
  EXPECT_FALSE(overlap(a.slice(0, 0, 3).insert_axis(0).broadcast_to({1000, 3}), a.slice(0, 3, 6)));
  EXPECT_TRUE(overlap(a.insert_axis(0).broadcast_to({1000, 6}), a.slice(0, 3, 6)));
}

TEST(Overlap, EmptyTensorsNever) {
  const Tensor a = Tensor::zeros({4, 4}, DType::kFloat64);
  EXPECT_FALSE(overlap(a.slice(0, 2, 2), a));
  EXPECT_FALSE(overlap(TensorView(), a));
  EXPECT_FALSE(overlap(TensorView(), TensorView()));
}

TEST(Overlap, ElementsOfDifferentSizeAreComparedByBytes) {
  Tensor a = Tensor::zeros({8}, DType::kInt64);
  auto* bytes = static_cast<std::byte*>(a.data());
  const TensorView wide(bytes, DType::kInt32, {8}, {2});  // the lower halves
  const TensorView upper(bytes + 4, DType::kInt32, {8}, {2});
  const TensorView crossing(bytes + 3, DType::kInt16, {8}, {4});
  EXPECT_FALSE(overlap(wide, upper));
  EXPECT_TRUE(overlap(wide, crossing));
  EXPECT_TRUE(overlap(upper, crossing));
  EXPECT_TRUE(overlap(wide, a));
  const TensorView last(bytes + 63, DType::kInt8, {1}, {1});
  EXPECT_TRUE(overlap(a, last));
  const TensorView after(bytes + 64, DType::kInt8, Shape{0}, {1});
  EXPECT_FALSE(overlap(a, after));
}

TEST(Overlap, LargeStridedViewsAreDecidedFast) {
  // Never touched: only addresses are looked at.
  const auto* base = reinterpret_cast<const std::byte*>(std::uintptr_t{1} << 30);
  const std::int64_t n = 100'000;
  const TensorView even(base, DType::kFloat64, {n, n}, {2 * n, 2});
  const TensorView odd(base + 8, DType::kFloat64, {n, n}, {2 * n, 2});
  EXPECT_FALSE(overlap(even, odd));
  const TensorView planes(base, DType::kFloat64, {100, 100, 100, 100}, {8'000'000, 40'000, 200, 1});
  const TensorView beside(base + 800, DType::kFloat64, {100, 100, 100, 100}, {8'000'000, 40'000, 200, 1});
  EXPECT_FALSE(overlap(planes, beside));
}

std::set<std::int64_t> touched_bytes(const TensorView& view, const std::byte* base) {
  std::vector<const std::byte*> starts{view.bytes()};
  const auto item = static_cast<std::int64_t>(size_of(view.dtype()));
  for (std::size_t axis = 0; axis < view.shape().size(); ++axis) {
    std::vector<const std::byte*> next;
    for (const std::byte* start : starts) {
      for (std::int64_t i = 0; i < view.shape()[axis]; ++i) next.push_back(start + i * view.strides()[axis] * item);
    }
    starts = std::move(next);
  }
  std::set<std::int64_t> bytes;
  for (const std::byte* start : starts) {
    for (std::int64_t i = 0; i < item; ++i) bytes.insert(start + i - base);
  }
  return bytes;
}

TensorView random_view(Random& random, const std::byte* base) {
  constexpr DType kTypes[] = {DType::kInt8, DType::kInt16, DType::kFloat32, DType::kComplex64};
  Shape shape;
  Strides strides;
  for (std::int64_t axes = random.integer(0, 3); axes > 0; --axes) {
    shape.push_back(random.integer(0, 9) == 0 ? 0 : random.integer(1, 4));
    strides.push_back(random.integer(-12, 12));
  }
  return {base + random.integer(-150, 150), kTypes[random.integer(0, 3)], shape, strides};
}

TEST(Overlap, AgreesWithTheSetOfBytesOnRandomViews) {
  constexpr std::uint64_t kSeed = 7;
  Random random(kSeed);
  const std::vector<std::byte> memory(4096);
  const std::byte* base = memory.data() + 2048;
  std::map<bool, int> outcomes;
  for (int trial = 0; trial < 20'000; ++trial) {
    const TensorView a = random_view(random, base);
    const TensorView b = random_view(random, base);
    const auto bytes = touched_bytes(a, base);
    const auto others = touched_bytes(b, base);
    const bool expected = std::ranges::any_of(others, [&](std::int64_t byte) { return bytes.contains(byte); });
    ASSERT_EQ(overlap(a, b), expected) << "seed " << kSeed << ", trial " << trial << ": " << format_shape(a.shape())
                                       << " strides " << format_shape(a.strides()) << " and " << format_shape(b.shape())
                                       << " strides " << format_shape(b.strides());
    ++outcomes[expected];
  }
  EXPECT_GT(outcomes[true], 2000);
  EXPECT_GT(outcomes[false], 2000);
}

}  // namespace
}  // namespace trntensor
