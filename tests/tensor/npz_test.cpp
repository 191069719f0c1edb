// .npz files: those NumPy wrote, and ours.
#include "trntensor/tensor/npz.hpp"

#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/tensor/file_fixtures.hpp"
#include "trntensor/tensor/npy_stream.hpp"
#include "trntensor/tensor/zip_writer.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::fixture;
using testing::TemporaryFolder;

TEST(NpzReader, ReadsEveryTypeInEitherByteOrder) {
  for (const char* name : {"little.npz", "big.npz"}) {
    const NpzReader reader(fixture(name));
    EXPECT_EQ(reader.names().size(), testing::numpy_dtypes().size());
    for (const DType dtype : testing::numpy_dtypes()) {
      testing::expect_fixture(reader.read(to_string(dtype)), dtype);
    }
  }
}

TEST(NpzReader, ReadsAllInOrder) {
  const NpzReader reader(fixture("little.npz"));
  const auto all = reader.read_all();
  ASSERT_EQ(all.size(), reader.names().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].name, reader.names()[i]);
    testing::expect_fixture(all[i].tensor, parse_dtype(all[i].name));
  }
}

TEST(NpzReader, LeavesOutMembersThatAreNoArrays) {
  const NpzReader reader(fixture("other_members.npz"));
  EXPECT_EQ(reader.names(), std::vector<std::string>{"array"});
  EXPECT_TRUE(reader.contains("array"));
  EXPECT_FALSE(reader.contains("readme.txt"));
  testing::expect_fixture(reader.read("array"), DType::kFloat64);
}

TEST(NpzReader, UnknownNameIsAnErrorThatListsTheNames) {
  const NpzReader reader(fixture("little.npz"));
  expect_error(ErrorKind::kInvalidArgument, {"little.npz", "\"eri\"", "float64", "bool"},
               [&] { static_cast<void>(reader.read("eri")); });
}

TEST(NpzReader, RefusesOtherCompression) {
  const NpzReader reader(fixture("bzip2.npz"));
  expect_error(ErrorKind::kUnsupported, {"bzip2.npz", "array.npy", "method 12"},
               [&] { static_cast<void>(reader.read("array")); });
}

std::vector<NamedTensor> some_tensors() {
  std::vector<NamedTensor> tensors;
  for (const DType dtype : testing::numpy_dtypes()) {
    tensors.push_back({std::string(to_string(dtype)), testing::fixture_tensor(dtype)});
  }
  Tensor large = Tensor::empty({300, 700}, DType::kFloat64);
  for (std::int64_t i = 0; i < large.size(); ++i) large.data_as<double>()[i] = static_cast<double>(i % 1000) / 7;
  tensors.push_back({"large", large.permute({1, 0}).reverse(0)});
  tensors.push_back({"\u03b1/scalar", Tensor::scalar(2.5)});
  tensors.push_back({"empty", Tensor::empty({0, 3}, DType::kInt8)});
  return tensors;
}

void expect_same(const std::vector<NamedTensor>& actual, const std::vector<NamedTensor>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].name, expected[i].name);
    EXPECT_EQ(actual[i].tensor.dtype(), expected[i].tensor.dtype());
    EXPECT_EQ(actual[i].tensor.shape(), expected[i].tensor.shape());
    EXPECT_EQ(actual[i].tensor.to_vector<std::complex<double>>(), expected[i].tensor.to_vector<std::complex<double>>())
        << actual[i].name;
  }
}

TEST(SaveNpz, RoundTripsStoredAndDeflated) {
  const TemporaryFolder folder;
  for (const bool compress : {false, true}) {
    save_npz(folder / "a.npz", some_tensors(), {.compress = compress});
    expect_same(NpzReader(folder / "a.npz").read_all(), some_tensors());
  }
}

TEST(SaveNpz, CompressionMakesFilesSmaller) {
  const TemporaryFolder folder;
  save_npz(folder / "stored.npz", some_tensors());
  save_npz(folder / "deflated.npz", some_tensors(), {.compress = true});
  EXPECT_LT(std::filesystem::file_size(folder / "deflated.npz"), std::filesystem::file_size(folder / "stored.npz") / 3);
}

TEST(SaveNpz, GivesTheSameBytesForTheSameTensors) {
  const TemporaryFolder folder;
  save_npz(folder / "a.npz", some_tensors(), {.compress = true});
  save_npz(folder / "b.npz", some_tensors(), {.compress = true});
  EXPECT_EQ(testing::read_bytes(folder / "a.npz"), testing::read_bytes(folder / "b.npz"));
}

TEST(SaveNpz, NoTensorsAreAnEmptyArchive) {
  const TemporaryFolder folder;
  save_npz(folder / "a.npz", {});
  EXPECT_EQ(NpzReader(folder / "a.npz").names(), std::vector<std::string>{});
}

TEST(SaveNpz, RefusesNamesThatCannotBe) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& names, const std::string& fragment) {
    std::vector<NamedTensor> tensors;
    for (const std::string& name : names) tensors.push_back({name, Tensor()});
    expect_error(ErrorKind::kInvalidArgument, {"a.npz", fragment}, [&] { save_npz(folder / "a.npz", tensors); });
  };
  refused({""}, "\"\"");
  refused({"a", "b", "a"}, "\"a\"");
  refused({std::string("a\0b", 3)}, "cannot be the name");
  refused({std::string(65532, 'x')}, "65531");
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

// Archives beyond 4 GiB use wider fields; here they are made to start earlier.
TEST(SaveNpz, Zip64FieldsAreReadBack) {
  const TemporaryFolder folder;
  for (const io::ZipMethod method : {io::ZipMethod::kStored, io::ZipMethod::kDeflated}) {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{130}, std::uint64_t{400}}) {
      io::AtomicFile file(folder / "a.npz");
      io::ZipWriter writer(file, from);
      for (const auto& [name, tensor] : some_tensors()) {
        writer.add(name + ".npy", method, 10,
                   [&view = tensor](const io::ZipWriter::Sink& sink) { io::write_npy_stream(view, sink); });
      }
      writer.finish();
      file.commit();
      expect_same(NpzReader(folder / "a.npz").read_all(), some_tensors());
    }
  }
}

}  // namespace
}  // namespace trntensor
