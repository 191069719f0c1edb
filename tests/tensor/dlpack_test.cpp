// DLPack in and out: values, life time, and what is refused.
#include "trntensor/tensor/dlpack.hpp"

#include <dlpack/dlpack.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/common/expect_error.hpp"

namespace trntensor {
namespace {

using testing::expect_error;

// A handle on 2 x 3 floats, made by hand as another library would, that counts calls of its deleter.
struct Foreign {
  std::vector<float> data{0, 1, 2, 3, 4, 5, 6, 7};
  std::int64_t shape[2] = {2, 3};
  std::int64_t strides[2] = {3, 1};
  int deleted = 0;
  DLManagedTensor handle{};

  Foreign() {
    handle.dl_tensor = {data.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
    handle.manager_ctx = this;
    handle.deleter = [](DLManagedTensor* self) { ++static_cast<Foreign*>(self->manager_ctx)->deleted; };
  }
};

// Expects from_dlpack to refuse the handle, and to have given it back.
void expect_refused(Foreign& foreign, ErrorKind kind, const std::vector<std::string>& fragments) {
  expect_error(kind, fragments, [&] { from_dlpack(&foreign.handle); });
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(FromDlpack, SharesMemoryAndDeletesOnce) {
  Foreign foreign;
  {
    Tensor tensor = from_dlpack(&foreign.handle);
    EXPECT_EQ(tensor.data(), foreign.data.data());
    EXPECT_EQ(tensor.to_vector<int>(), (std::vector{0, 1, 2, 3, 4, 5}));
    const Tensor view = tensor.select(0, 1);
    tensor = Tensor();
    EXPECT_EQ(foreign.deleted, 0);
    EXPECT_EQ(view.to_vector<int>(), (std::vector{3, 4, 5}));
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(FromDlpack, TakesOffsetsStridesAndCompactShapes) {
  Foreign foreign;
  foreign.handle.dl_tensor.byte_offset = 8;
  foreign.handle.dl_tensor.strides = nullptr;
  EXPECT_EQ(from_dlpack(&foreign.handle).to_vector<int>(), (std::vector{2, 3, 4, 5, 6, 7}));
  Foreign turned;
  turned.handle.dl_tensor.byte_offset = 5 * sizeof(float);
  turned.strides[0] = -3;
  turned.strides[1] = -1;
  EXPECT_EQ(from_dlpack(&turned.handle).to_vector<int>(), (std::vector{5, 4, 3, 2, 1, 0}));
}

TEST(FromDlpack, TakesHandlesWithoutDeleter) {
  Foreign foreign;
  foreign.handle.deleter = nullptr;
  EXPECT_EQ(from_dlpack(&foreign.handle).size(), 6);
}

TEST(FromDlpack, TakesScalarsAndEmptyTensors) {
  Foreign scalar;
  scalar.handle.dl_tensor.ndim = 0;
  scalar.handle.dl_tensor.shape = nullptr;
  scalar.handle.dl_tensor.strides = nullptr;
  EXPECT_EQ(from_dlpack(&scalar.handle).item<int>(), 0);
  Foreign empty;
  empty.handle.dl_tensor.data = nullptr;
  empty.shape[1] = 0;
  EXPECT_EQ(from_dlpack(&empty.handle).size(), 0);
}

TEST(FromDlpack, RefusesHostileHandles) {
  expect_error(ErrorKind::kInvalidArgument, {"null"}, [] { from_dlpack(nullptr); });
  constexpr auto kInvalid = ErrorKind::kInvalidArgument;
  const auto refused = [](const std::vector<std::string>& fragments, ErrorKind kind, auto&& change) {
    Foreign foreign;
    change(foreign);
    expect_refused(foreign, kind, fragments);
  };
  refused({"rank is -1"}, kInvalid, [](Foreign& f) { f.handle.dl_tensor.ndim = -1; });
  refused({"rank is 2147483647"}, kInvalid, [](Foreign& f) { f.handle.dl_tensor.ndim = 2147483647; });
  refused({"shape", "null"}, kInvalid, [](Foreign& f) { f.handle.dl_tensor.shape = nullptr; });
  refused({"extent -3"}, kInvalid, [](Foreign& f) { f.shape[1] = -3; });
  refused({"63 bits"}, kInvalid, [](Foreign& f) { f.shape[0] = std::numeric_limits<std::int64_t>::max(); });
  refused({"63 bits"}, kInvalid, [](Foreign& f) { f.strides[0] = std::numeric_limits<std::int64_t>::min(); });
  refused({"pointer", "null"}, kInvalid, [](Foreign& f) { f.handle.dl_tensor.data = nullptr; });
  refused({"byte_offset"}, kInvalid, [](Foreign& f) { f.handle.dl_tensor.byte_offset = ~std::uint64_t{0}; });
}

TEST(FromDlpack, RefusesWhatWeHaveNot) {
  constexpr auto kUnsupported = ErrorKind::kUnsupported;
  const auto refused = [](const std::vector<std::string>& fragments, auto&& change) {
    Foreign foreign;
    change(foreign.handle.dl_tensor);
    expect_refused(foreign, kUnsupported, fragments);
  };
  refused({"4 lanes"}, [](DLTensor& t) { t.dtype.lanes = 4; });
  refused({"0 lanes"}, [](DLTensor& t) { t.dtype.lanes = 0; });
  refused({"device type 2"}, [](DLTensor& t) { t.device.device_type = kDLCUDA; });
  refused({"code 2", "24 bits"}, [](DLTensor& t) { t.dtype.bits = 24; });
  refused({"code 2", "0 bits"}, [](DLTensor& t) { t.dtype.bits = 0; });
  refused({"code 3"}, [](DLTensor& t) { t.dtype.code = kDLOpaqueHandle; });
  refused({"code 255"}, [](DLTensor& t) { t.dtype.code = 255; });
}

TEST(ToDlpack, RoundTripsEveryType) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const Tensor tensor = Tensor::full({2, 3}, 1, dtype).permute({1, 0});
    DLManagedTensor* handle = to_dlpack(tensor);
    EXPECT_EQ(handle->dl_tensor.dtype.bits, 8 * size_of(dtype));
    const Tensor back = from_dlpack(handle);
    EXPECT_EQ(back.dtype(), dtype);
    EXPECT_EQ(back.data(), tensor.data());
    EXPECT_EQ(back.shape(), tensor.shape());
    EXPECT_EQ(back.strides(), tensor.strides());
  }
}

TEST(ToDlpack, UsesTheCodesOfTheStandard) {
  const auto code = [](DType dtype) {
    DLManagedTensor* handle = to_dlpack(Tensor::zeros({1}, dtype));
    const int result = handle->dl_tensor.dtype.code;
    handle->deleter(handle);
    return result;
  };
  EXPECT_EQ(code(DType::kInt32), kDLInt);
  EXPECT_EQ(code(DType::kUInt8), kDLUInt);
  EXPECT_EQ(code(DType::kFloat16), kDLFloat);
  EXPECT_EQ(code(DType::kBFloat16), kDLBfloat);
  EXPECT_EQ(code(DType::kComplex64), kDLComplex);
  EXPECT_EQ(code(DType::kBool), 6);
  EXPECT_EQ(code(DType::kFloat8E4M3FN), 10);
}

TEST(ToDlpack, KeepsStorageAliveUntilItsDeleterIsCalled) {
  auto memory = std::make_shared<std::vector<float>>(6);
  const std::weak_ptr<std::vector<float>> watch = memory;
  DLManagedTensor* handle = to_dlpack(Tensor::borrow(MutableTensorView::of(memory->data(), {2, 3}), memory));
  memory.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(handle->dl_tensor.ndim, 2);
  EXPECT_EQ(handle->dl_tensor.shape[1], 3);
  EXPECT_EQ(handle->dl_tensor.strides[0], 3);
  EXPECT_EQ(handle->dl_tensor.byte_offset, 0U);
  handle->deleter(handle);
  EXPECT_TRUE(watch.expired());
}

TEST(ToDlpack, RefusesMemoryOnADevice) {
  float memory[2] = {};
  const Tensor tensor = Tensor::borrow(MutableTensorView(memory, DType::kFloat32, {2}, {DeviceType::kNeuron, 2}));
  expect_error(ErrorKind::kUnsupported, {"neuron:2"}, [&] { to_dlpack(tensor); });
}

}  // namespace
}  // namespace trntensor
