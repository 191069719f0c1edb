// Files by extension, and that they appear whole or not at all.
#include "trntensor/tensor/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>

#include "tests/common/expect_error.hpp"
#include "tests/tensor/file_fixtures.hpp"
#include "trntensor/tensor/atomic_file.hpp"

namespace trntensor {
namespace {

using testing::Bytes;
using testing::expect_error;
using testing::fixture;
using testing::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr auto kInvalid = ErrorKind::kInvalidArgument;

TEST(LoadTensor, TellsTheFormatByTheExtension) {
  testing::expect_fixture(load_tensor(fixture("fortran.npy")), DType::kFloat64);
  testing::expect_fixture(load_tensor(fixture("big.npz"), "int16"), DType::kInt16);
  testing::expect_fixture(load_tensor(fixture("h5py.h5"), "big/int16"), DType::kInt16);
  testing::expect_fixture(load_tensor(fixture(""), "version2"), DType::kFloat32);
}

TEST(LoadTensor, NameMayBeLeftOutWhereThereIsOne) {
  testing::expect_fixture(load_tensor(fixture("other_members.npz")), DType::kFloat64);
  expect_error(kInvalid, {"little.npz", "14 tensors", "complex64"}, [] { load_tensor(fixture("little.npz")); });
  expect_error(kInvalid, {"h5py.h5", "43 tensors"}, [] { load_tensor(fixture("h5py.h5")); });
}

TEST(LoadTensor, WrongNamesAreErrorsThatListTheNames) {
  expect_error(kInvalid, {"fortran.npy", "\"x\""}, [] { load_tensor(fixture("fortran.npy"), "x"); });
  expect_error(kInvalid, {"little.npz", "\"x\"", "int8"}, [] { load_tensor(fixture("little.npz"), "x"); });
  expect_error(kInvalid, {"\"x.npy\"", "scalar"}, [] { load_tensor(fixture(""), "x"); });
  expect_error(kInvalid, {"\"../numpy/scalar.npy\""}, [] { load_tensor(fixture(""), "../numpy/scalar"); });
  expect_error(kInvalid, {"a.txt", "\".txt\"", ".npz"}, [] { load_tensor("a.txt"); });
  expect_error(kInvalid, {"\"\""}, [] { load_tensor("a"); });
}

TEST(ListTensors, NamesThem) {
  EXPECT_EQ(list_tensors(fixture("fortran.npy")), Names{"fortran"});
  EXPECT_EQ(list_tensors(fixture("other_members.npz")), Names{"array"});
  EXPECT_EQ(list_tensors(fixture("h5py.h5")).front(), "big/bool");
  const Names folder = list_tensors(fixture(""));
  EXPECT_TRUE(std::ranges::binary_search(folder, "version2"));
  EXPECT_FALSE(std::ranges::binary_search(folder, "h5py"));
}

TEST(SaveTensor, RoundTripsEveryFormat) {
  const TemporaryFolder folder;
  const Tensor tensor = testing::fixture_tensor(DType::kComplex64);
  for (const char* name : {"a.npy", "a.NPZ", "a.h5", "a.hdf5"}) {
    save_tensor(folder / name, tensor);
    testing::expect_fixture(load_tensor(folder / name), DType::kComplex64);
  }
  save_tensor(folder / "a.npz", tensor, "eri");
  EXPECT_EQ(list_tensors(folder / "a.npz"), Names{"eri"});
  save_tensor(folder.path(), tensor, "eri");
  testing::expect_fixture(load_tensor(folder.path(), "eri"), DType::kComplex64);
}

TEST(AtomicFile, KeepsTheOldFileUntilCommitted) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a", testing::to_bytes("old"));
  {
    io::AtomicFile file(folder / "a");
    file.append(testing::to_bytes("newer"));
    EXPECT_EQ(testing::read_bytes(folder / "a"), testing::to_bytes("old"));
    EXPECT_EQ(folder.names().size(), 2U);
  }
  EXPECT_EQ(testing::read_bytes(folder / "a"), testing::to_bytes("old"));
  EXPECT_EQ(folder.names(), Names{"a"});
  io::AtomicFile file(folder / "a");
  file.append(testing::to_bytes("newer"));
  file.overwrite(1, testing::to_bytes("E"));
  EXPECT_EQ(file.size(), 5U);
  file.commit();
  EXPECT_EQ(testing::read_bytes(folder / "a"), testing::to_bytes("nEwer"));
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, FollowsLinksAndKeepsThem) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "target", testing::to_bytes("old"));
  std::filesystem::create_symlink("target", folder / "link");
  save_tensor(folder / "link.npy", Tensor());
  io::AtomicFile file(folder / "link");
  file.append(testing::to_bytes("new"));
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(testing::read_bytes(folder / "target"), testing::to_bytes("new"));
}

TEST(AtomicFile, FollowsLinksToWhatIsNotThereYet) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("second", folder / "first");
  std::filesystem::create_symlink("target", folder / "second");
  io::AtomicFile file(folder / "first");
  file.append(testing::to_bytes("new"));
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second"));
  EXPECT_EQ(testing::read_bytes(folder / "target"), testing::to_bytes("new"));
  std::filesystem::create_symlink("loop", folder / "loop");
  expect_error(ErrorKind::kIo, {"loop"}, [&] { io::AtomicFile(folder / "loop"); });
}

TEST(AtomicFile, TakesNamesAsLongAsTheyMayBe) {
  const TemporaryFolder folder;
  const std::string longest(250, 'x');
  save_tensor(folder / (longest + ".npy"), Tensor());
  EXPECT_EQ(folder.names(), Names{longest + ".npy"});
  expect_error(ErrorKind::kIo, {"xxx", "name too long"}, [&] { save_tensor(folder / (longest + "x1.npy"), Tensor()); });
}

TEST(AtomicFile, KeepsThePermissionsOfWhatItReplaces) {
  const TemporaryFolder folder;
  for (const mode_t mode : {0600U, 0640U, 0664U}) {
    testing::write_bytes(folder / "a.npy", testing::to_bytes("old"));
    ASSERT_EQ(chmod((folder / "a.npy").c_str(), mode), 0);
    save_tensor(folder / "a.npy", Tensor());
    struct stat after = {};
    ASSERT_EQ(stat((folder / "a.npy").c_str(), &after), 0);
    EXPECT_EQ(after.st_mode & 07777U, mode);
  }
}

TEST(AtomicFile, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::kIo, {"not a regular file"}, [&] { io::AtomicFile(folder.path()); });
  expect_error(ErrorKind::kIo, {"/dev/null", "not a regular file"}, [] { io::AtomicFile("/dev/null"); });
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_error(ErrorKind::kIo, {"pipe", "not a regular file"}, [&] { io::AtomicFile(folder / "pipe"); });
  expect_error(ErrorKind::kIo, {"missing/a", "No such file"}, [&] { io::AtomicFile(folder / "missing/a"); });
}

TEST(LoadTensor, RefusesPipesWithoutWaiting) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "a.npy").c_str(), 0600), 0);
  expect_error(ErrorKind::kIo, {"not a regular file"}, [&] { load_tensor(folder / "a.npy"); });
}

// How many of the formats fail with Io when files may not grow beyond 100 kB, which stands in for a full disk. Changes
// the process for good.
int failures_on_full_disk(const TemporaryFolder& folder) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{100'000, 100'000};
  setrlimit(RLIMIT_FSIZE, &limit);
  int failures = 0;
  for (const char* name : {"a.npy", "a.npz", "a.h5"}) {
    try {
      save_tensor(folder / name, Tensor::zeros({100'000}, DType::kFloat64));
    } catch (const Error& error) {
      failures += error.kind() == ErrorKind::kIo ? 1 : 0;
    }
  }
  return failures;
}

TEST(SaveTensor, LeavesNothingWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  ASSERT_EXIT(std::_Exit(failures_on_full_disk(folder)), ::testing::ExitedWithCode(3), "");
  EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace trntensor
