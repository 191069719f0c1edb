// HDF5 files: those h5py wrote, ours, and damaged ones.
#include "trntensor/tensor/hdf5.hpp"

#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/tensor/file_fixtures.hpp"

namespace trntensor {
namespace {

using testing::Bytes;
using testing::expect_error;
using testing::fixture;
using testing::TemporaryFolder;

Tensor counted(const Shape& shape) {
  const Tensor tensor = Tensor::empty(shape, DType::kFloat64);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data_as<double>()[i] = static_cast<double>(i);
  return tensor;
}

TEST(LoadHdf5, ReadsEveryTypeInEitherByteOrder) {
  for (const DType dtype : testing::numpy_dtypes()) {
    for (const std::string group : {"little/", "big/"}) {
      testing::expect_fixture(load_hdf5(fixture("h5py.h5"), group + std::string(to_string(dtype))), dtype);
    }
  }
}

TEST(LoadHdf5, ReadsChunksAndCompression) {
  for (const char* name : {"packed", "chunked"}) {
    const Tensor tensor = load_hdf5(fixture("h5py.h5"), name);
    EXPECT_EQ(tensor.shape(), (Shape{20, 30}));
    EXPECT_EQ(tensor.to_vector<double>(), counted({20, 30}).to_vector<double>());
  }
  const Tensor zeros = load_hdf5(fixture("h5py.h5"), "zeros");
  EXPECT_EQ(zeros.to_vector<double>(), std::vector<double>(150'000, 0));
}

TEST(LoadHdf5, ReadsScalarsEmptyAndUnwrittenDatasets) {
  EXPECT_EQ(load_hdf5(fixture("h5py.h5"), "scalar").item<double>(), 2.5);
  EXPECT_EQ(load_hdf5(fixture("h5py.h5"), "scalar").rank(), 0);
  EXPECT_EQ(load_hdf5(fixture("h5py.h5"), "empty").shape(), (Shape{3, 0, 2}));
  EXPECT_EQ(load_hdf5(fixture("h5py.h5"), "unwritten").to_vector<int>(), (std::vector{7, 7, 7}));
}

TEST(LoadHdf5, FollowsSoftLinksAndLeadingSlashes) {
  testing::expect_fixture(load_hdf5(fixture("h5py.h5"), "soft"), DType::kFloat32);
  testing::expect_fixture(load_hdf5(fixture("h5py.h5"), "/little/float32"), DType::kFloat32);
}

TEST(LoadHdf5, ListsDatasets) {
  const auto names = list_hdf5(fixture("h5py.h5"));
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (const char* name : {"packed", "scalar", "little/bool", "big/complex128"}) {
    EXPECT_TRUE(std::ranges::binary_search(names, name)) << name;
  }
  EXPECT_FALSE(std::ranges::binary_search(names, "little"));
}

TEST(LoadHdf5, UnknownNameIsAnErrorThatListsTheNames) {
  for (const char* name : {"eri", "", "little", "little/float65", "/", "a//b"}) {
    expect_error(ErrorKind::kInvalidArgument, {"h5py.h5", testing::quoted(name), "little/float64"},
                 [&] { load_hdf5(fixture("h5py.h5"), name); });
  }
}

TEST(LoadHdf5, RefusesTypesThatAreNotOurs) {
  const auto refused = [](const char* name, const char* type) {
    expect_error(ErrorKind::kUnsupported, {"h5py.h5", name, type}, [&] { load_hdf5(fixture("h5py.h5"), name); });
  };
  refused("text", "string");
  refused("structured", "compound");
  refused("long_double", "float type with 16 bytes");
  refused("colour", "enum");
}

TEST(LoadHdf5, RefusesDataInOtherFiles) {
  for (const char* name : {"virtual", "external"}) {
    expect_error(ErrorKind::kUnsupported, {name, "other files"}, [&] { load_hdf5(fixture("h5py.h5"), name); });
  }
  // The link is not followed even where the other file is there.
  const TemporaryFolder folder;
  std::filesystem::copy_file(fixture("h5py.h5"), folder / "h5py.h5");
  const NamedTensor secret[] = {{"secret", counted({3})}};
  save_hdf5(folder / "other.h5", secret);
  expect_error(ErrorKind::kInvalidArgument, {"no dataset \"outside\""},
               [&] { load_hdf5(folder / "h5py.h5", "outside"); });
}

TEST(LoadHdf5, RefusesClaimsBeyondTheFileBeforeAllocating) {
  for (const char* name : {"unwritten_huge", "unwritten_chunks"}) {
    expect_error(ErrorKind::kIo, {name, "(1099511627776,)", "only 0 bytes"},
                 [&] { load_hdf5(fixture("h5py.h5"), name); });
  }
  expect_error(ErrorKind::kIo, {"null", "neither shape nor data"}, [] { load_hdf5(fixture("h5py.h5"), "null"); });
}

TEST(LoadHdf5, NamesFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::kIo, {"missing.h5", "No such file"}, [&] { load_hdf5(folder / "missing.h5", "a"); });
  expect_error(ErrorKind::kIo, {"scalar.npy", "HDF5", "signature"}, [] { load_hdf5(fixture("scalar.npy"), "a"); });
  expect_error(ErrorKind::kIo, {"not a regular file"}, [&] { list_hdf5(folder.path()); });
}

TEST(ReadHdf5, ReadsFromMemory) {
  const Bytes bytes = testing::read_bytes(fixture("h5py.h5"));
  EXPECT_EQ(list_hdf5(bytes), list_hdf5(fixture("h5py.h5")));
  EXPECT_EQ(read_hdf5(bytes, "packed").to_vector<double>(), counted({20, 30}).to_vector<double>());
}

TEST(ReadHdf5, RefusesFilesCutOffAnywhere) {
  const TemporaryFolder folder;
  const NamedTensor tensors[] = {{"group/a", counted({2, 3})}};
  save_hdf5(folder / "a.h5", tensors);
  const Bytes bytes = testing::read_bytes(folder / "a.h5");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    expect_error(ErrorKind::kIo, {"memory"}, [&] { read_hdf5(std::span(bytes).first(size), "group/a"); });
  }
  EXPECT_EQ(read_hdf5(bytes, "group/a").size(), 6);
}

TEST(ReadHdf5, RefusesContiguousDataBeyondTheEnd) {
  const TemporaryFolder folder;
  const NamedTensor tensors[] = {{"a", counted({3})}};
  save_hdf5(folder / "a.h5", tensors);
  Bytes bytes = testing::read_bytes(folder / "a.h5");
  // The layout message holds the address and the 24 bytes of size side by side.
  const auto data = static_cast<std::uint64_t>(
      testing::find_text(bytes, std::string_view("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40", 16)) - 8);
  std::string layout(16, '\0');
  const std::uint64_t fields[] = {data, 24};
  std::memcpy(layout.data(), fields, sizeof fields);
  const std::size_t position = testing::find_text(bytes, layout);
  for (const std::uint64_t address : {std::uint64_t{bytes.size() - 8}, std::uint64_t{1} << 40}) {
    testing::put(bytes, position, address);
    expect_error(ErrorKind::kIo, {"\"a\"", "(3,)"}, [&] { read_hdf5(bytes, "a"); });
  }
}

TEST(ReadHdf5, RefusesCompactDataThatAreMissing) {
  EXPECT_EQ(load_hdf5(fixture("compact.h5"), "data").to_vector<int>(), (std::vector{1, 2, 3}));
  Bytes bytes = testing::read_bytes(fixture("compact.h5"));
  // The layout message: version, class, size of the data, data.
  const std::size_t message = testing::find_text(bytes, std::string_view("\x03\0\x18\0\0\0\0\0\0\0\xf0\x3f", 12));
  testing::put(bytes, message + 2, std::uint16_t{0});
  expect_error(ErrorKind::kIo, {"\"data\"", "(3,)", "only 0 bytes"}, [&] { read_hdf5(bytes, "data"); });
}

TEST(SaveHdf5, RoundTripsEveryTypeButFloat8) {
  const TemporaryFolder folder;
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (is_floating(dtype) && size_of(dtype) == 1) continue;
    tensors.push_back({"types/" + std::string(to_string(dtype)), testing::fixture_tensor(dtype)});
  }
  tensors.push_back({"/turned", counted({20, 30}).permute({1, 0}).reverse(0)});
  tensors.push_back({"scalar", Tensor::scalar(2.5)});
  tensors.push_back({"empty", Tensor::empty({3, 0}, DType::kFloat32)});
  save_hdf5(folder / "a.h5", tensors);
  EXPECT_EQ(list_hdf5(folder / "a.h5").size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const Tensor back = load_hdf5(folder / "a.h5", name);
    EXPECT_EQ(back.dtype(), tensor.dtype()) << name;
    EXPECT_EQ(back.shape(), tensor.shape()) << name;
    EXPECT_EQ(back.to_vector<std::complex<double>>(), tensor.to_vector<std::complex<double>>()) << name;
  }
}

TEST(SaveHdf5, RefusesNamesAndTypesThatCannotBe) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& names, const std::string& fragment) {
    std::vector<NamedTensor> tensors;
    for (const std::string& name : names) tensors.push_back({name, Tensor()});
    expect_error(ErrorKind::kInvalidArgument, {"a.h5", fragment}, [&] { save_hdf5(folder / "a.h5", tensors); });
  };
  for (const char* name : {"", "/", "a/", "a//b", "./a", "."}) refused({name}, testing::quoted(name));
  refused({"a", "/a"}, "two tensors");
  const NamedTensor fp8[] = {{"x", Tensor::zeros({2}, DType::kFloat8E5M2)}};
  expect_error(ErrorKind::kUnsupported, {"float8_e5m2", "\"x\""}, [&] { save_hdf5(folder / "a.h5", fp8); });
  const NamedTensor inside[] = {{"a", Tensor()}, {"a/b", Tensor()}};
  expect_error(ErrorKind::kIo, {"\"a/b\""}, [&] { save_hdf5(folder / "a.h5", inside); });
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace trntensor
