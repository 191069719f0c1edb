// .npz files that are damaged or lie.
#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/common/expect_error.hpp"
#include "tests/tensor/file_fixtures.hpp"
#include "trntensor/tensor/npz.hpp"

namespace trntensor {
namespace {

using testing::Bytes;
using testing::expect_error;
using testing::fixture;
using testing::TemporaryFolder;

constexpr auto kIo = ErrorKind::kIo;
constexpr std::string_view kLocal = "PK\x03\x04";
constexpr std::string_view kCentral = "PK\x01\x02";
constexpr std::string_view kEnd = "PK\x05\x06";
// Offsets of fields in the records of the archive.
constexpr std::size_t kCentralFlags = 8, kCentralCrc = 16, kCentralPacked = 20, kCentralSize = 24,
                      kCentralPosition = 42;
constexpr std::size_t kEndDisk = 4, kEndCount = 10, kEndSize = 12, kEndPosition = 16, kEndComment = 20;

// An archive of two members as ours are.
Bytes archive(bool compress = false) {
  const TemporaryFolder folder;
  const std::vector<NamedTensor> tensors{{"a", testing::fixture_tensor(DType::kFloat64)},
                                         {"b", Tensor::zeros({100, 100}, DType::kInt32)}};
  save_npz(folder / "a.npz", tensors, {.compress = compress});
  return testing::read_bytes(folder / "a.npz");
}

void expect_refused(const Bytes& bytes, const std::vector<std::string>& fragments, ErrorKind kind = kIo) {
  expect_error(kind, fragments, [&] { static_cast<void>(NpzReader(bytes, "case.npz").read_all()); });
}

// The archive with one number changed.
template <typename T>
Bytes changed(Bytes bytes, std::size_t position, T value) {
  testing::put(bytes, position, value);
  return bytes;
}

TEST(NpzReader, RefusesArchivesCutOffAnywhere) {
  for (const bool compress : {false, true}) {
    const Bytes bytes = archive(compress);
    for (std::size_t size = 0; size < bytes.size(); size += size + 300 < bytes.size() && size > 600 ? 97 : 1) {
      expect_refused(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), {"case.npz"});
    }
  }
}

TEST(NpzReader, RefusesOtherFiles) {
  expect_refused(testing::to_bytes(std::string(100'000, 'x')), {"no zip end record"});
  expect_refused(testing::read_bytes(fixture("scalar.npy")), {"no zip end record"});
  expect_refused({}, {"no zip end record"});
}

TEST(NpzReader, RefusesWrongSums) {
  for (const bool compress : {false, true}) {
    const Bytes bytes = archive(compress);
    const std::size_t crc = testing::find_text(bytes, kCentral) + kCentralCrc;
    expect_refused(changed(bytes, crc, ~testing::get<std::uint32_t>(bytes, crc)), {"a.npy", "checksum"});
  }
  Bytes flipped = archive();
  const std::size_t data = testing::find_text(flipped, "NUMPY", 1) + 200;
  flipped[data] ^= std::byte{1};
  expect_refused(flipped, {"b.npy", "checksum"});
}

TEST(NpzReader, RefusesLyingSizes) {
  const Bytes stored = archive();
  const std::size_t member = testing::find_text(stored, kCentral);
  const auto size = testing::get<std::uint32_t>(stored, member + kCentralSize);
  expect_refused(changed(stored, member + kCentralSize, size + 1), {"\"a.npy\"", "cannot be"});
  Bytes both = changed(stored, member + kCentralSize, size - 8);
  both = changed(both, member + kCentralPacked, size - 8);
  expect_refused(both, {"a.npy", "only 40 bytes"});
  both = changed(both, member + kCentralSize, std::uint32_t{0xfffffff0});
  both = changed(both, member + kCentralPacked, std::uint32_t{0xfffffff0});
  expect_refused(both, {"\"a.npy\"", "overlap"});

  const Bytes deflated = archive(true);
  const std::size_t packed_member = testing::find_text(deflated, kCentral, 1);
  const auto unpacked = testing::get<std::uint32_t>(deflated, packed_member + kCentralSize);
  const auto packed = testing::get<std::uint32_t>(deflated, packed_member + kCentralPacked);
  expect_refused(changed(deflated, packed_member + kCentralSize, unpacked + 8), {"b.npy", "8 bytes follow"});
  expect_refused(changed(deflated, packed_member + kCentralSize, unpacked - 8), {"b.npy", "only 39992 bytes"});
  expect_refused(changed(deflated, packed_member + kCentralSize, (packed + 1) * 1032), {"\"b.npy\"", "cannot be"});
  expect_refused(changed(deflated, packed_member + kCentralPacked, packed - 1), {"b.npy", "middle of a block"});
}

Bytes deflated(const Bytes& bytes) {
  Bytes packed(bytes.size() + 1000);
  z_stream state{};
  EXPECT_EQ(deflateInit2(&state, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  Bytes input = bytes;
  state.next_in = reinterpret_cast<Bytef*>(input.data());
  state.avail_in = static_cast<uInt>(input.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

// Signature and numbers of (bytes, value) behind one another.
void append(Bytes& bytes, std::string_view signature, std::initializer_list<std::pair<int, std::uint64_t>> fields) {
  const Bytes start = testing::to_bytes(signature);
  bytes.insert(bytes.end(), start.begin(), start.end());
  for (const auto& [width, value] : fields) {
    for (int i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
  }
}

// An archive of one deflated member "x.npy" that is said to unpack to `size` bytes with the sum of those of `content`.
Bytes one_member(const Bytes& content, std::size_t size) {
  Bytes claimed = content;
  claimed.resize(size);
  const std::uint64_t crc = crc32_z(0, reinterpret_cast<const Bytef*>(claimed.data()), size);
  const Bytes packed = deflated(content);
  Bytes bytes;
  append(bytes, kLocal, {{4, 20}, {2, 8}, {4, 0}, {4, crc}, {4, packed.size()}, {4, size}, {2, 5}, {2, 0}});
  append(bytes, "x.npy", {});
  bytes.insert(bytes.end(), packed.begin(), packed.end());
  const std::size_t directory = bytes.size();
  append(bytes, kCentral, {{4, 20}, {2, 0}, {2, 8}, {4, 0}, {4, crc}, {4, packed.size()}, {4, size}, {2, 5}});
  append(bytes, "", {{2, 0}, {2, 0}, {8, 0}, {4, 0}});
  append(bytes, "x.npy", {});
  const std::size_t end = bytes.size();
  append(bytes, kEnd, {{4, 0}, {2, 1}, {2, 1}, {4, end - directory}, {4, directory}, {2, 0}});
  return bytes;
}

TEST(NpzReader, RefusesPackedDataOfAnotherSizeThanSaid) {
  const Bytes npy = testing::read_bytes(fixture("scalar.npy"));
  EXPECT_EQ(NpzReader(one_member(npy, npy.size())).read("x").item<double>(), 2.5);
  Bytes longer = npy;
  longer.push_back(std::byte{0});
  expect_refused(one_member(longer, npy.size()), {"x.npy", "go on after"});
  expect_refused(one_member(longer, longer.size()), {"x.npy", "1 bytes follow the array"});
  const Bytes shorter(npy.begin(), npy.end() - 1);
  expect_refused(one_member(shorter, npy.size()), {"x.npy", "end before the size"});
  expect_refused(one_member(shorter, shorter.size()), {"x.npy", "only 7 bytes"});
}

TEST(NpzReader, RefusesMembersThatShareBytes) {
  const Bytes bytes = archive();
  const std::size_t second = testing::find_text(bytes, kCentral, 1);
  expect_refused(changed(bytes, second + kCentralPosition, std::uint32_t{0}), {"overlap"});
  expect_refused(changed(bytes, second + kCentralPosition, std::uint32_t{0x7fffffff}), {"\"b.npy\"", "overlap"});
}

TEST(NpzReader, RefusesMembersThatAreNotWhereTheDirectorySays) {
  const Bytes bytes = archive();
  const std::size_t second = testing::find_text(bytes, kCentral, 1);
  const auto position = testing::get<std::uint32_t>(bytes, second + kCentralPosition);
  expect_refused(changed(bytes, second + kCentralPosition, position - 1), {"case.npz"});
  Bytes renamed = bytes;
  renamed[position + 30] = std::byte{'c'};
  expect_refused(renamed, {"\"b.npy\"", "not where"});
}

TEST(NpzReader, RefusesLyingDirectories) {
  const Bytes bytes = archive();
  const std::size_t end = testing::find_text(bytes, kEnd);
  const auto size = testing::get<std::uint32_t>(bytes, end + kEndSize);
  const auto position = testing::get<std::uint32_t>(bytes, end + kEndPosition);
  Bytes many = changed(bytes, end + kEndCount, std::uint16_t{60000});
  many = changed(many, end + kEndCount - 2, std::uint16_t{60000});
  expect_refused(many, {"60000 members"});
  expect_refused(changed(bytes, end + kEndSize, size + 1), {"do not fit"});
  expect_refused(changed(bytes, end + kEndSize, std::uint32_t{0xfffffffe}), {"do not fit"});
  expect_refused(changed(bytes, end + kEndPosition, position + 1), {"do not fit"});
  expect_refused(changed(bytes, end + kEndPosition, position - 1), {"directory is damaged"});
  expect_refused(changed(bytes, end + kEndPosition, std::uint32_t{0xffffffff}), {"zip64"});
  Bytes long_name = changed(bytes, testing::find_text(bytes, kCentral) + 28, std::uint16_t{0xffff});
  expect_refused(long_name, {"directory is damaged"});
}

TEST(NpzReader, TakesExtraFieldsThatClaimMoreThanThereIs) {
  // An extra field of 10 bytes for the first member, whose only entry claims 65535.
  Bytes bytes = archive();
  const std::size_t member = testing::find_text(bytes, kCentral);
  testing::put(bytes, member + 30, std::uint16_t{10});
  const Bytes extra = testing::to_bytes("\x07\x07\xff\xff  lost");
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(member + 46 + 5), extra.begin(), extra.end());
  const std::size_t end = testing::find_text(bytes, kEnd);
  testing::put(bytes, end + kEndSize, testing::get<std::uint32_t>(bytes, end + kEndSize) + 10);
  EXPECT_EQ(NpzReader(bytes).read_all().size(), 2U);
}

TEST(NpzReader, RefusesSeveralParts) {
  const Bytes bytes = archive();
  const std::size_t end = testing::find_text(bytes, kEnd);
  expect_refused(changed(bytes, end + kEndDisk, std::uint16_t{1}), {"several parts"}, ErrorKind::kUnsupported);
  expect_refused(changed(bytes, end + kEndCount, std::uint16_t{1}), {"several parts"}, ErrorKind::kUnsupported);
}

TEST(NpzReader, RefusesEncryption) {
  const Bytes bytes = archive();
  const std::size_t member = testing::find_text(bytes, kCentral);
  expect_refused(changed(bytes, member + kCentralFlags, std::uint16_t{1}), {"a.npy", "encrypted"},
                 ErrorKind::kUnsupported);
}

TEST(NpzReader, RefusesRepeatedNames) {
  Bytes bytes = archive();
  for (const int which : {1, 3}) bytes[testing::find_text(bytes, ".npy", which) - 1] = std::byte{'a'};
  expect_refused(bytes, {"two members \"a.npy\""});
}

TEST(NpzReader, TakesACommentAtTheEnd) {
  Bytes bytes = archive();
  testing::put(bytes, testing::find_text(bytes, kEnd) + kEndComment, std::uint16_t{5});
  const Bytes comment = testing::to_bytes("hello");
  bytes.insert(bytes.end(), comment.begin(), comment.end());
  EXPECT_EQ(NpzReader(bytes).names(), (std::vector<std::string>{"a", "b"}));
}

TEST(NpzReader, SurvivesEveryByteChanged) {
  const Bytes bytes = archive(true);
  for (std::size_t position = 0; position < bytes.size(); ++position) {
    for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
      Bytes damaged = bytes;
      damaged[position] ^= static_cast<std::byte>(change);
      try {
        const auto all = NpzReader(damaged).read_all();
        EXPECT_LE(all.size(), 2U);
      } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::kInternal) << position;
        EXPECT_NE(error.kind(), ErrorKind::kOutOfMemory) << position;
      }
    }
  }
}

}  // namespace
}  // namespace trntensor
