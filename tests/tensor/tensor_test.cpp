// The owning tensor: construction, sharing, access, conversion, views.
#include "trntensor/tensor/tensor.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/common/expect_error.hpp"

namespace trntensor {
namespace {

using testing::expect_error;

constexpr auto kInvalid = ErrorKind::kInvalidArgument;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Tensor two_by_three() { return Tensor::from_values<double>({2, 3}, {0, 1, 2, 3, 4, 5}); }

TEST(Tensor, DefaultIsAZeroOfRankZero) {
  const Tensor tensor;
  EXPECT_EQ(tensor.rank(), 0);
  EXPECT_EQ(tensor.size(), 1);
  EXPECT_EQ(tensor.dtype(), DType::kFloat64);
  EXPECT_EQ(tensor.item<double>(), 0);
}

TEST(Tensor, IsFilled) {
  EXPECT_EQ(Tensor::zeros({2, 2}, DType::kInt16).to_vector<int>(), (std::vector{0, 0, 0, 0}));
  EXPECT_EQ(Tensor::full({3}, 2.5, DType::kFloat16).to_vector<double>(), (std::vector{2.5, 2.5, 2.5}));
  EXPECT_EQ(Tensor::full({1}, {1, -2}, DType::kComplex64).item<std::complex<double>>(), std::complex<double>(1, -2));
  EXPECT_EQ(Tensor::full({2}, 1, DType::kBool).to_vector<bool>(), (std::vector<bool>{true, true}));
  EXPECT_EQ(Tensor::empty({0, 5}, DType::kFloat32).size(), 0);
}

TEST(Tensor, IsAlignedForVectors) {
  for (const std::int64_t size : {1, 7, 1000, 3'000'000}) {
    const Tensor tensor = Tensor::empty({size}, DType::kInt8);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % 64, 0U) << size;
  }
}

TEST(Tensor, RefusesImpossibleShapes) {
  expect_error(kInvalid, {"negative"}, [] { Tensor::zeros({2, -1}, DType::kFloat32); });
  expect_error(kInvalid, {"63 bits"}, [] { Tensor::empty({kMost, 2}, DType::kInt8); });
  expect_error(kInvalid, {"bytes", "complex128"}, [] { Tensor::empty({kMost / 8}, DType::kComplex128); });
  expect_error(ErrorKind::kOutOfMemory, {"cannot allocate"}, [] { Tensor::empty({kMost / 4}, DType::kInt8); });
}

TEST(Tensor, FromValuesWantsOnePerElement) {
  EXPECT_EQ(Tensor::from_values<bool>({2}, {true, false}).dtype(), DType::kBool);
  EXPECT_EQ(Tensor::scalar(std::complex<float>(1, 2)).dtype(), DType::kComplex64);
  EXPECT_EQ(Tensor::from_values<float>({0}, {}).size(), 0);
  expect_error(kInvalid, {"(2, 2)", "4 elements", "3 values"}, [] { Tensor::from_values<int>({2, 2}, {1, 2, 3}); });
}

TEST(Tensor, MovedFromHasNoElementsAndNoMemory) {
  Tensor first = Tensor::full({3}, 7, DType::kFloat64);
  const Tensor second = std::move(first);
  EXPECT_EQ(first.shape(), (Shape{0}));  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.data(), nullptr);
  first = second;
  Tensor third;
  third = std::move(first);
  EXPECT_EQ(third.to_vector<int>(), (std::vector<int>{7, 7, 7}));
  EXPECT_EQ(first.size(), 0);  // NOLINT(bugprone-use-after-move)
}

TEST(Tensor, CopiesShareStorageAndClonesDoNot) {
  const Tensor a = two_by_three();
  const Tensor shared = a;
  const Tensor cloned = a.clone();
  a.at<double>({1, 2}) = 50;
  EXPECT_EQ(shared.at<double>({1, 2}), 50);
  EXPECT_EQ(cloned.at<double>({1, 2}), 5);
}

TEST(Tensor, ViewsKeepStorageAlive) {
  Tensor row;
  {
    const Tensor a = two_by_three();
    row = a.permute({1, 0}).select(1, 1).reverse(0);
  }
  EXPECT_EQ(row.to_vector<double>(), (std::vector<double>{5, 4, 3}));
}

TEST(Tensor, BorrowKeepsTheOwnerAlive) {
  auto memory = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const std::weak_ptr<std::vector<float>> watch = memory;
  Tensor view = Tensor::borrow(MutableTensorView::of(memory->data(), {2, 2}), memory).slice(0, 1, 2);
  memory.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(view.to_vector<float>(), (std::vector<float>{3, 4}));
  view = Tensor();
  EXPECT_TRUE(watch.expired());
}

TEST(Tensor, ElementsAreReachedByIndex) {
  const Tensor a = two_by_three();
  EXPECT_EQ(a.at<double>({1, 0}), 3);
  EXPECT_EQ(a.at<double>({-1, -1}), 5);
  EXPECT_EQ(a.permute({1, 0}).at<double>({2, 0}), 2);
  EXPECT_EQ(Tensor::scalar(7).at<int>({}), 7);
  expect_error(kInvalid, {"1 indices", "(2, 3)"}, [&] { static_cast<void>(a.at<double>({1})); });
  expect_error(kInvalid, {"index 3", "extent 3"}, [&] { static_cast<void>(a.at<double>({0, 3})); });
  expect_error(kInvalid, {"float64", "float32"}, [&] { static_cast<void>(a.at<float>({0, 0})); });
}

TEST(Tensor, TypedAccessIsChecked) {
  const Tensor a = two_by_three();
  EXPECT_EQ(a.data_as<double>(), a.data());
  EXPECT_EQ(a.data_as<const double>()[4], 4);
  expect_error(kInvalid, {"float64", "int64"}, [&] { static_cast<void>(a.data_as<std::int64_t>()); });
  auto* bytes = static_cast<std::byte*>(a.data());
  const Tensor unaligned = Tensor::borrow(MutableTensorView(bytes + 1, DType::kFloat64, {2}));
  expect_error(kInvalid, {"not aligned to 8 bytes"}, [&] { static_cast<void>(unaligned.data_as<double>()); });
  const Tensor elsewhere = Tensor::borrow(MutableTensorView(bytes, DType::kFloat64, {2}, {DeviceType::kNeuron, 0}));
  expect_error(kInvalid, {"neuron:0"}, [&] { static_cast<void>(elsewhere.data_as<double>()); });
  expect_error(kInvalid, {"neuron:0"}, [&] { static_cast<void>(elsewhere.select(0, 0).item<double>()); });
}

TEST(Tensor, ItemConvertsTheOnlyElement) {
  EXPECT_EQ(Tensor::scalar(2.75).item<int>(), 2);
  EXPECT_EQ(Tensor::full({1, 1}, 3, DType::kBFloat16).item<float>(), 3.0F);
  EXPECT_EQ(Tensor::scalar(std::uint8_t{5}).item<std::complex<double>>(), std::complex<double>(5, 0));
  EXPECT_EQ(Tensor::scalar(0.3).item<bool>(), true);
  expect_error(kInvalid, {"(2, 3)", "6 elements"}, [] { static_cast<void>(two_by_three().item<double>()); });
  expect_error(kInvalid, {"0 elements"}, [] { static_cast<void>(Tensor::zeros({0}, DType::kInt8).item<double>()); });
}

TEST(Tensor, AstypeConvertsAndIsContiguous) {
  const Tensor a = Tensor::from_values<float>({2, 2}, {1.75F, -1.75F, 300, 0}).permute({1, 0});
  const Tensor bytes = a.astype(DType::kUInt8);
  EXPECT_EQ(bytes.to_vector<int>(), (std::vector{1, 255, 0, 0}));
  EXPECT_TRUE(bytes.is_contiguous());
  EXPECT_EQ(a.astype(DType::kFloat8E4M3).to_vector<float>(),
            (std::vector<float>{1.75F, std::numeric_limits<float>::infinity(), -1.75F, 0}));
  EXPECT_EQ(a.astype(DType::kBool).to_vector<int>(), (std::vector{1, 1, 1, 0}));
}

TEST(Tensor, ToVectorIsInRowMajorOrder) {
  const Tensor a = two_by_three();
  EXPECT_EQ(a.permute({1, 0}).to_vector<int>(), (std::vector{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(a.slice(1, 2, -4, -2).to_vector<int>(), (std::vector{2, 0, 5, 3}));
  EXPECT_EQ(a.select(0, 1).insert_axis(0).broadcast_to({2, 3}).to_vector<int>(), (std::vector{3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(a.slice(1, 0, 2).diagonal(0, 1).to_vector<int>(), (std::vector{0, 4}));
  EXPECT_EQ(a.slice(0, 1, 1).to_vector<int>(), std::vector<int>{});
}

TEST(Tensor, ReshapeSharesWhenItCan) {
  const Tensor a = two_by_three();
  EXPECT_EQ(a.reshape({3, 2}).data(), a.data());
  const Tensor copied = a.permute({1, 0}).reshape({2, 3});
  EXPECT_NE(copied.data(), a.data());
  EXPECT_EQ(copied.to_vector<int>(), (std::vector{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(a.reshape({1, 6, 1}).reverse(1).reshape({6}).to_vector<int>(), (std::vector{5, 4, 3, 2, 1, 0}));
  expect_error(kInvalid, {"6 elements", "4 elements"}, [&] { static_cast<void>(a.reshape({4})); });
}

}  // namespace
}  // namespace trntensor
