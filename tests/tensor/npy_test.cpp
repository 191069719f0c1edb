// .npy files: those NumPy wrote, and ours as NumPy would have written them.
#include "trntensor/tensor/npy.hpp"

#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/tensor/file_fixtures.hpp"

namespace trntensor {
namespace {

using testing::Bytes;
using testing::expect_error;
using testing::fixture;
using testing::TemporaryFolder;

TEST(LoadNpy, ReadsFortranOrderWithoutACopy) {
  const Tensor tensor = load_npy(fixture("fortran.npy"));
  testing::expect_fixture(tensor, DType::kFloat64);
  EXPECT_EQ(tensor.strides(), (Strides{1, 2}));
}

TEST(LoadNpy, ReadsAllFormatVersions) {
  testing::expect_fixture(load_npy(fixture("version2.npy")), DType::kFloat32);
  testing::expect_fixture(load_npy(fixture("version3.npy")), DType::kFloat32);
}

TEST(LoadNpy, ReadsScalarsAndEmptyArrays) {
  const Tensor scalar = load_npy(fixture("scalar.npy"));
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.item<double>(), 2.5);
  const Tensor empty = load_npy(fixture("empty.npy"));
  EXPECT_EQ(empty.shape(), (Shape{3, 0, 2}));
  EXPECT_EQ(empty.dtype(), DType::kInt32);
}

TEST(LoadNpy, RawBytesNeedAType) {
  testing::expect_fixture(load_npy(fixture("raw2.npy"), DType::kBFloat16).astype(DType::kFloat32), DType::kFloat32);
  const Tensor e4m3 = load_npy(fixture("raw1.npy"), DType::kFloat8E4M3FN);
  EXPECT_EQ(e4m3.to_vector<double>(), (std::vector<double>{0, 1, -2, 3}));
  expect_error(ErrorKind::kUnsupported, {"raw2.npy", "V2", "bfloat16"}, [] { load_npy(fixture("raw2.npy")); });
  expect_error(ErrorKind::kUnsupported, {"V1", "float8_e5m2"}, [] { load_npy(fixture("raw1.npy")); });
  expect_error(ErrorKind::kInvalidArgument, {"2 raw bytes", "float8_e5m2 has 1"},
               [] { load_npy(fixture("raw2.npy"), DType::kFloat8E5M2); });
}

TEST(LoadNpy, TypeForRawBytesIsNotUsedForOthers) {
  EXPECT_EQ(load_npy(fixture("scalar.npy"), DType::kBFloat16).dtype(), DType::kFloat64);
}

TEST(LoadNpy, RefusesTypesThatAreNotOurs) {
  const auto refused = [](const char* name, const char* fragment) {
    expect_error(ErrorKind::kUnsupported, {name, fragment}, [&] { load_npy(fixture(name)); });
  };
  refused("structured.npy", "structures");
  refused("object.npy", "\"|O\"");
  refused("text.npy", "\"<U2\"");
  refused("date.npy", "\"<M8[D]\"");
  refused("long_double.npy", "\"<f16\"");
}

TEST(LoadNpy, NamesFilesThatCannotBeOpened) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::kIo, {"missing.npy", "No such file"}, [&] { load_npy(folder / "missing.npy"); });
  expect_error(ErrorKind::kIo, {"not a regular file"}, [&] { load_npy(folder.path()); });
}

TEST(SaveNpy, WritesWhatNumPyWrites) {
  const TemporaryFolder folder;
  save_npy(folder / "a.npy", load_npy(fixture("fortran.npy")));
  EXPECT_EQ(testing::read_bytes(folder / "a.npy"), testing::read_bytes(fixture("fortran.npy")));
  save_npy(folder / "a.npy", Tensor::scalar(2.5));
  EXPECT_EQ(testing::read_bytes(folder / "a.npy"), testing::read_bytes(fixture("scalar.npy")));
  save_npy(folder / "a.npy", Tensor::empty({3, 0, 2}, DType::kInt32));
  EXPECT_EQ(testing::read_bytes(folder / "a.npy"), testing::read_bytes(fixture("empty.npy")));
  save_npy(folder / "a.npy", testing::fixture_tensor(DType::kFloat32).astype(DType::kBFloat16));
  Bytes expected = testing::read_bytes(fixture("raw2.npy"));
  // NumPy without ml_dtypes writes "|V2" for raw bytes, ml_dtypes' bfloat16 comes out as "<V2".
  testing::put(expected, testing::find_text(expected, "|V2"), '<');
  EXPECT_EQ(testing::read_bytes(folder / "a.npy"), expected);
}

TEST(SaveNpy, RoundTripsEveryTypeAndLayout) {
  const TemporaryFolder folder;
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const Tensor tensor = testing::fixture_tensor(DType::kFloat32).astype(dtype);
    for (const Tensor& view : {tensor, tensor.permute({1, 0}), tensor.reverse(1), tensor.slice(1, 0, 3, 2),
                               tensor.insert_axis(0).broadcast_to({4, 2, 3})}) {
      save_npy(folder / "a.npy", view);
      const Tensor back = load_npy(folder / "a.npy", dtype);
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.shape(), view.shape());
      EXPECT_EQ(back.to_vector<float>(), view.to_vector<float>()) << to_string(dtype);
    }
  }
}

TEST(SaveNpy, WritesLargeStridedTensorsInPieces) {
  const TemporaryFolder folder;
  Tensor tensor = Tensor::empty({70, 90, 301}, DType::kFloat32);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data_as<float>()[i] = static_cast<float>(i);
  for (const Tensor& view : {tensor.permute({1, 0, 2}).reverse(2), tensor.permute({0, 2, 1}).reverse(0),
                             tensor.select(0, 3).permute({1, 0}).insert_axis(0).broadcast_to({30, 301, 90})}) {
    save_npy(folder / "a.npy", view);
    EXPECT_EQ(load_npy(folder / "a.npy").to_vector<float>(), view.to_vector<float>());
  }
}

TEST(SaveNpy, WritesBoolAsZeroAndOne) {
  const TemporaryFolder folder;
  std::uint8_t memory[] = {0, 7, 255};
  save_npy(folder / "a.npy", TensorView(memory, DType::kBool, {3}));
  const Bytes bytes = testing::read_bytes(folder / "a.npy");
  EXPECT_EQ(Bytes(bytes.end() - 3, bytes.end()), (Bytes{std::byte{0}, std::byte{1}, std::byte{1}}));
}

TEST(SaveNpy, RefusesMemoryOnADevice) {
  const TemporaryFolder folder;
  float memory[2] = {};
  const TensorView device(memory, DType::kFloat32, {2}, {DeviceType::kNeuron, 0});
  expect_error(ErrorKind::kInvalidArgument, {"neuron:0"}, [&] { save_npy(folder / "a.npy", device); });
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace trntensor
