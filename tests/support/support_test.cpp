// Checked arithmetic, aligned memory, and errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/shared_memory.hpp"

namespace trntensor {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(Checked, MultiplySaysWhenItDoesNotFit) {
  EXPECT_EQ(checked_multiply(3, -4), -12);
  EXPECT_EQ(checked_multiply(kMost, 1), kMost);
  EXPECT_EQ(checked_multiply(kMost / 2, 2), kMost - 1);
  EXPECT_FALSE(checked_multiply(kMost / 2 + 1, 2));
  EXPECT_FALSE(checked_multiply(kLeast, -1));
}

TEST(Checked, AddSaysWhenItDoesNotFit) {
  EXPECT_EQ(checked_add(kMost - 1, 1), kMost);
  EXPECT_FALSE(checked_add(kMost, 1));
  EXPECT_FALSE(checked_add(kLeast, -1));
}

TEST(Checked, ProductOfExtents) {
  const auto product = [](std::vector<std::int64_t> extents) { return checked_product(extents); };
  EXPECT_EQ(product({}), 1);
  EXPECT_EQ(product({2, 3, 4}), 24);
  EXPECT_EQ(product({5, 0, 3}), 0);
  EXPECT_EQ(product({kMost, kMost, 0}), 0);
  EXPECT_FALSE(product({kMost, 2}));
  EXPECT_FALSE(product({std::int64_t{1} << 32, std::int64_t{1} << 31}));
}

TEST(AlignedMemory, IsAlignedAndWritable) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{5} << 20}) {
    const AlignedBuffer buffer = allocate_aligned(bytes);
    const std::size_t alignment = bytes >= std::size_t{4} << 20 ? std::size_t{2} << 20 : 64;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % alignment, 0U);
    for (std::size_t i = 0; i < bytes; i += 1000) buffer[i] = std::byte{1};
  }
}

TEST(SharedMemory, IsAlignedAndLivesAsLongAsACopy) {
  for (const std::size_t bytes : std::initializer_list<std::size_t>{0, 1, 7, 64, 1000, 65535, 65536, 5U << 20}) {
    std::shared_ptr<std::byte> memory = allocate_shared_memory(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % 64, 0U);
    std::fill_n(memory.get(), bytes, std::byte{1});
    const std::shared_ptr<std::byte> copy = memory;
    const std::weak_ptr<std::byte> weak = memory;
    memory.reset();
    EXPECT_EQ(copy.use_count(), 1);
    EXPECT_EQ(std::count(copy.get(), copy.get() + bytes, std::byte{1}), static_cast<std::ptrdiff_t>(bytes));
    EXPECT_FALSE(weak.expired());
  }
}

TEST(AlignedMemory, RefusalIsAnErrorWithTheSize) {
  try {
    allocate_aligned(std::size_t{1} << 60);
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
    EXPECT_NE(std::string(error.what()).find("1152921504606846976 bytes"), std::string::npos) << error.what();
  }
}

TEST(Error, SaysWhatWhereAndFix) {
  const Error whole(ErrorKind::kIo, "what", "where", "mend it");
  EXPECT_STREQ(whole.what(), "what\nwhere\nfix: mend it");
  EXPECT_EQ(whole.kind(), ErrorKind::kIo);
  EXPECT_STREQ(Error(ErrorKind::kInternal, "what").what(), "what");
  EXPECT_STREQ(Error(ErrorKind::kInternal, "what", {}, "mend it").what(), "what\nfix: mend it");
}

TEST(Error, SaysAllOfAMessageWithNullBytes) {
  using namespace std::string_literals;
  EXPECT_STREQ(Error(ErrorKind::kIo, "a\0b"s, "c\0"s, "d").what(), "a\\0b\nc\\0\nfix: d");
}

TEST(Error, ShorthandsThrowTheirKind) {
  const auto kind_of = [](auto&& function) {
    try {
      function();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kInternal;
  };
  EXPECT_EQ(kind_of([] { throw_invalid("x"); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind_of([] { throw_unsupported("x"); }), ErrorKind::kUnsupported);
}

TEST(Error, KindsHaveNames) {
  EXPECT_EQ(to_string(ErrorKind::kInvalidArgument), "InvalidArgument");
  EXPECT_EQ(to_string(ErrorKind::kUnsupported), "Unsupported");
  EXPECT_EQ(to_string(ErrorKind::kOutOfMemory), "OutOfMemory");
  EXPECT_EQ(to_string(ErrorKind::kIo), "Io");
  EXPECT_EQ(to_string(ErrorKind::kCancelled), "Cancelled");
  EXPECT_EQ(to_string(ErrorKind::kInternal), "Internal");
}

TEST(Error, FailedAssertionsAreOurBug) {
  try {
    detail::assertion_failed("a == b", "file.cpp", 7);
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_NE(std::string(error.what()).find("a == b"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("file.cpp:7"), std::string::npos);
  }
}

}  // namespace
}  // namespace trntensor
