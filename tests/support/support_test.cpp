// Containers, text to numbers, the environment, and the generator.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/checked.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/inline_vector.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor {
namespace {

using Small = InlineVector<int, 3>;

template <typename Function>
std::string message_of(ErrorKind kind, Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.kind()), to_string(kind));
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

Small counted(int count) {
  Small values;
  for (int i = 0; i < count; ++i) values.push_back(i);
  return values;
}

TEST(InlineVector, GrowsFromInsideToTheHeap) {
  for (const int count : {0, 1, 3, 4, 100}) {
    const Small values = counted(count);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i);
  }
}

TEST(InlineVector, CopiesAndMovesAreIndependent) {
  for (const int count : {2, 10}) {
    Small original = counted(count);
    Small copy = original;
    copy[0] = -1;
    EXPECT_EQ(original[0], 0);
    const Small moved = std::move(original);
    EXPECT_EQ(moved, counted(count));
    copy = moved;
    EXPECT_EQ(copy, moved);
    original = counted(1);  // a moved-from vector may be assigned to
    EXPECT_EQ(original.size(), 1U);
  }
}

TEST(InlineVector, InsertsAndErases) {
  Small values = counted(4);
  values.insert(values.begin() + 1, 9);
  EXPECT_EQ(values, (Small{0, 9, 1, 2, 3}));
  values.erase(values.begin());
  EXPECT_EQ(values, (Small{9, 1, 2, 3}));
  values.insert(values.end(), 7);
  values.pop_back();
  values.resize(6, 5);
  EXPECT_EQ(values, (Small{9, 1, 2, 3, 5, 5}));
}

TEST(CheckedArithmetic, SaysWhen63BitsDoNotSuffice) {
  const std::vector<std::int64_t> fits{std::int64_t{1} << 31, std::int64_t{1} << 31};
  EXPECT_EQ(checked_product(fits), std::int64_t{1} << 62);
  EXPECT_EQ(checked_product(std::vector<std::int64_t>{std::int64_t{1} << 32, std::int64_t{1} << 32}), std::nullopt);
  EXPECT_EQ(checked_product(std::vector<std::int64_t>{INT64_MAX, INT64_MAX, 0}), 0);
  EXPECT_EQ(checked_product({}), 1);
  EXPECT_EQ(checked_add(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checked_multiply(INT64_MIN, -1), std::nullopt);
}

TEST(ParseInteger, NamesWhatIsWrong) {
  EXPECT_EQ(parse_integer("42", "--threads", 1, 100), 42);
  for (const char* text : {"", "x", "4x", "4.5", "0", "101", "99999999999999999999", " 4"}) {
    const std::string message =
        message_of(ErrorKind::kInvalidArgument, [&] { parse_integer(text, "--threads", 1, 100); });
    EXPECT_NE(message.find("--threads"), std::string::npos);
    EXPECT_NE(message.find("1 to 100"), std::string::npos);
  }
}

TEST(ParseBytes, ReadsPowersOf1024) {
  EXPECT_EQ(parse_bytes("4096", "x"), 4096);
  EXPECT_EQ(parse_bytes("512M", "x"), std::int64_t{512} << 20);
  EXPECT_EQ(parse_bytes("2g", "x"), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5GiB", "x"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_bytes("3 kB", "x"), 3072);
  EXPECT_EQ(parse_bytes("7B", "x"), 7);
  for (const char* text : {"", "M", "-1M", "0", "1Q", "1MM", "nan", "inf", "1e300", "1GiBs"}) {
    EXPECT_NE(message_of(ErrorKind::kInvalidArgument, [&] { parse_bytes(text, "--memory"); }).find("--memory"),
              std::string::npos)
        << text;
  }
}

TEST(FormatBytes, UsesTheLargestUnit) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(3.0 * (1 << 30)), "3 GiB");
}

TEST(Environment, EmptyIsUnsetAndBadTextIsNamed) {
  constexpr const char* kName = "TRNTENSOR_TEST_VARIABLE";
  ASSERT_EQ(unsetenv(kName), 0);
  EXPECT_EQ(environment_text(kName), std::nullopt);
  ASSERT_EQ(setenv(kName, "", 1), 0);
  EXPECT_EQ(environment_integer(kName, 0, 9), std::nullopt);
  ASSERT_EQ(setenv(kName, "7", 1), 0);
  EXPECT_EQ(environment_integer(kName, 0, 9), 7);
  ASSERT_EQ(setenv(kName, "seven", 1), 0);
  const std::string message = message_of(ErrorKind::kInvalidArgument, [&] { environment_integer(kName, 0, 9); });
  EXPECT_NE(message.find(kName), std::string::npos);
  EXPECT_NE(message.find("seven"), std::string::npos);
  unsetenv(kName);
}

TEST(NumThreads, CanBeSetAndGivenBack) {
  const int before = num_threads();
  EXPECT_GE(before, 1);
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  set_num_threads(0);
  EXPECT_EQ(num_threads(), before);
  message_of(ErrorKind::kInvalidArgument, [] { set_num_threads(-1); });
  message_of(ErrorKind::kInvalidArgument, [] { set_num_threads(5000); });
}

TEST(Error, MessageHasWhatWhereAndFix) {
  const Error error(ErrorKind::kUnsupported, "what", "where", "mend it");
  EXPECT_STREQ(error.what(), "what\nwhere\nfix: mend it");
  EXPECT_EQ(to_string(error.kind()), "Unsupported");
}

TEST(AlignedMemory, IsAlignedAndRefusesWhatIsNotThere) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{5} << 20}) {
    const AlignedBuffer buffer = allocate_aligned(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % 64, 0U);
  }
  const std::string message =
      message_of(ErrorKind::kOutOfMemory, [] { static_cast<void>(allocate_aligned(std::size_t{1} << 62)); });
  EXPECT_NE(message.find("4611686018427387904 bytes"), std::string::npos) << message;
}

TEST(CpuInfo, TellsPlausibleSizes) {
  EXPECT_GE(cpu_info().logical_cpus, 1);
  EXPECT_GE(cpu_info().l1d_bytes, 4 << 10);
  EXPECT_GE(cpu_info().l2_bytes, cpu_info().l1d_bytes);
  EXPECT_FALSE(cpu_info().model.empty());
}

TEST(Random, IsTheSameStreamEverywhere) {
  Random random(0);
  // The first numbers of splitmix64 for the seed 0, as its authors' reference program prints them.
  EXPECT_EQ(random(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random(), 0x6e789e6aa1b965f4ULL);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-2, 3);
    ASSERT_TRUE(x >= -2 && x < 3);
    const std::int64_t n = random.integer(-3, 3);
    ASSERT_TRUE(n >= -3 && n <= 3);
  }
}

}  // namespace
}  // namespace trntensor
