// What a view over foreign memory accepts, and what its views are.
#include "trntensor/tensor/tensor_view.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/common/expect_error.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor {
namespace {

using testing::expect_error;

constexpr auto kInvalid = ErrorKind::kInvalidArgument;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(TensorView, DefaultHasNoElements) {
  const TensorView view;
  EXPECT_EQ(view.size(), 0);
  EXPECT_EQ(view.data(), nullptr);
  EXPECT_TRUE(view.is_contiguous());
}

TEST(TensorView, WritableConvertsToReadable) {
  float memory[6] = {};
  const MutableTensorView writable = MutableTensorView::of(memory, {2, 3});
  const TensorView readable = writable;
  EXPECT_EQ(readable.data(), memory);
  EXPECT_EQ(readable.dtype(), DType::kFloat32);
  EXPECT_EQ(readable.shape(), (Shape{2, 3}));
  EXPECT_EQ(readable.strides(), (Strides{3, 1}));
  static_assert(!std::is_convertible_v<TensorView, MutableTensorView>);
}

TEST(TensorView, RefusesDifferentRanks) {
  float memory[6] = {};
  expect_error(kInvalid, {"(2, 3)", "2 extents", "1 strides"},
               [&] { TensorView(memory, DType::kFloat32, {2, 3}, Strides{1}); });
}

TEST(TensorView, RefusesNegativeExtents) {
  float memory[6] = {};
  expect_error(kInvalid, {"extent -3 of axis 1"}, [&] { TensorView(memory, DType::kFloat32, {2, -3}); });
}

TEST(TensorView, RefusesNullWithElements) {
  expect_error(kInvalid, {"null", "(2, 3)"}, [] { TensorView(nullptr, DType::kFloat32, {2, 3}); });
  expect_error(kInvalid, {"null", "()"}, [] { TensorView(nullptr, DType::kFloat32, Shape{}); });
  EXPECT_EQ(TensorView(nullptr, DType::kFloat32, {2, 0}).size(), 0);
}

TEST(TensorView, RefusesCountsAndAddressesBeyond63Bits) {
  float memory[6] = {};
  expect_error(kInvalid, {"63 bits"}, [&] { TensorView(memory, DType::kFloat32, {kMost, 2}); });
  expect_error(kInvalid, {"63 bits of addresses", "4-byte"}, [&] { TensorView(memory, DType::kFloat32, {kMost / 2}); });
  expect_error(kInvalid, {"axis 1 has extent 3"},
               [&] { TensorView(memory, DType::kFloat32, {2, 3}, Strides{1, kMost / 4}); });
  expect_error(kInvalid, {"axis 0"}, [&] { TensorView(memory, DType::kInt8, {2}, Strides{kLeast}); });
  expect_error(kInvalid, {"axis 0"}, [&] { TensorView(memory, DType::kInt8, {2}, Strides{kLeast}); });
  expect_error(kInvalid, {"axis 1"},
               [&] { TensorView(memory, DType::kInt8, {2, 2}, Strides{kMost / 2 + 1, -(kMost / 2 + 1)}); });
  EXPECT_EQ(TensorView(memory, DType::kFloat64, {kMost}, Strides{0}).size(), kMost);
  EXPECT_EQ(TensorView(memory, DType::kInt8, {2}, Strides{kMost - 1}).size(), 2);
}

// NumPy and DLPack let such strides be anything.
TEST(TensorView, StridesThatAreNeverTakenDoNotMatter) {
  float memory[6] = {1, 2, 3, 4, 5, 6};
  for (const std::int64_t stride : {kMost, kLeast, std::int64_t{-7}}) {
    const TensorView view(memory, DType::kFloat32, {2, 1, 3}, Strides{3, stride, 1});
    EXPECT_TRUE(view.is_contiguous());
    EXPECT_EQ(view.bytes() + 20, view.select(0, 1).select(0, 0).select(0, 2).bytes());
    EXPECT_EQ(view.select(1, 0).strides(), (Strides{3, 1}));
    EXPECT_EQ(TensorView(memory, DType::kFloat32, {0, 3}, Strides{stride, 1}).size(), 0);
  }
}

TEST(TensorView, EmptyViewsOfNullAreNeverMoved) {
  const TensorView empty(nullptr, DType::kFloat64, {3, 0});
  EXPECT_EQ(empty.select(0, 2).data(), nullptr);
  EXPECT_EQ(empty.slice(0, 1, 3).data(), nullptr);
  EXPECT_EQ(empty.reverse(0).data(), nullptr);
  EXPECT_EQ(empty.insert_axis(1).broadcast_to({3, 7, 0}).data(), nullptr);
  EXPECT_EQ(empty.permute({1, 0}).shape(), (Shape{0, 3}));
}

TEST(TensorView, ViewsPointAtTheirFirstElement) {
  const std::int32_t memory[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const TensorView view = TensorView::of(memory, {3, 4});
  const auto first = [](const TensorView& v) { return load_element<std::int32_t>(v.data()); };
  EXPECT_EQ(first(view.select(0, 1)), 4);
  EXPECT_EQ(first(view.slice(1, -1, -5, -1)), 3);
  EXPECT_EQ(first(view.reverse(0)), 8);
  EXPECT_EQ(first(view.permute({1, 0}).select(0, 2)), 2);
  EXPECT_EQ(first(view.slice(1, 0, 3).diagonal(0, 1).select(0, 2)), 10);
  EXPECT_EQ(first(view.insert_axis(0).select(0, 0).select(0, 2)), 8);
  EXPECT_FALSE(view.permute({1, 0}).is_contiguous());
  EXPECT_TRUE(view.select(0, 2).is_contiguous());
}

TEST(TensorView, KeepsTypeAndDevice) {
  const Device core{DeviceType::kNeuron, 3};
  float memory[6] = {};
  const TensorView view = TensorView(memory, DType::kInt32, {2, 3}, core).slice(0, 1, 2).permute({1, 0});
  EXPECT_EQ(view.device(), core);
  EXPECT_EQ(view.dtype(), DType::kInt32);
  EXPECT_EQ(to_string(view.device()), "neuron:3");
  EXPECT_EQ(to_string(Device{}), "host");
}

}  // namespace
}  // namespace trntensor
