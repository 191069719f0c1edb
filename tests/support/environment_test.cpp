// Numbers and sizes from text and from the environment, and the errors that name them.
#include "trntensor/support/environment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

template <typename Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

// Sets a variable and takes it away again.
class Variable {
 public:
  explicit Variable(const char* text) { setenv(kName, text, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(kName); }

  static constexpr const char* kName = "TRNTENSOR_TEST_VARIABLE";
};

TEST(ParseInteger, TakesWholeNumbersInRange) {
  EXPECT_EQ(parse_integer("0", "x", 0, 10), 0);
  EXPECT_EQ(parse_integer("10", "x", 0, 10), 10);
  EXPECT_EQ(parse_integer("-3", "x", -5, 10), -3);
  EXPECT_EQ(parse_integer("9223372036854775807", "x", 0, std::numeric_limits<std::int64_t>::max()),
            std::numeric_limits<std::int64_t>::max());
}

TEST(ParseInteger, RefusesOtherTextAndNamesIt) {
  for (const char* text : {"", " ", "11", "-1", "1.0", "1e1", "1 ", " 1", "+1", "0x1", "one", "99999999999999999999"}) {
    const std::string message = message_of([&] { parse_integer(text, "--threads", 0, 10); });
    EXPECT_NE(message.find("--threads is \"" + std::string(text) + "\""), std::string::npos) << message;
    EXPECT_NE(message.find("from 0 to 10"), std::string::npos) << message;
  }
}

TEST(ParseBytes, TakesUnitsOf1024) {
  EXPECT_EQ(parse_bytes("4096", "x"), 4096);
  EXPECT_EQ(parse_bytes("1", "x"), 1);
  EXPECT_EQ(parse_bytes("7B", "x"), 7);
  EXPECT_EQ(parse_bytes("2K", "x"), 2048);
  EXPECT_EQ(parse_bytes("512M", "x"), std::int64_t{512} << 20);
  EXPECT_EQ(parse_bytes("2G", "x"), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5GiB", "x"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_bytes("1.5 gb", "x"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_bytes("3T", "x"), std::int64_t{3} << 40);
}

TEST(ParseBytes, RefusesOtherTextAndNamesIt) {
  for (const char* text : {"", "0", "-1", "2X", "2GG", "2Gi", "2KMB", "G", "inf", "nan", "1e30", "0.2", "9000000T"}) {
    const std::string message = message_of([&] { parse_bytes(text, "--memory"); });
    EXPECT_NE(message.find("--memory is \"" + std::string(text) + "\""), std::string::npos) << message;
    EXPECT_NE(message.find("512M"), std::string::npos) << message;
  }
}

TEST(FormatBytes, IsForPeople) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(2147483648.0), "2 GiB");
}

TEST(Environment, UnsetAndEmptyAreNothing) {
  EXPECT_FALSE(environment_text(Variable::kName));
  EXPECT_FALSE(environment_integer(Variable::kName, 0, 9));
  const Variable variable("");
  EXPECT_FALSE(environment_text(Variable::kName));
  EXPECT_FALSE(environment_integer(Variable::kName, 0, 9));
}

TEST(Environment, NumbersAreChecked) {
  {
    const Variable variable("7");
    EXPECT_EQ(environment_text(Variable::kName), "7");
    EXPECT_EQ(environment_integer(Variable::kName, 0, 9), 7);
  }
  const Variable variable("many");
  const std::string message = message_of([] { environment_integer(Variable::kName, 0, 9); });
  EXPECT_NE(message.find("environment variable TRNTENSOR_TEST_VARIABLE is \"many\""), std::string::npos) << message;
}

TEST(NumThreads, IsSetAndTakenBack) {
  const int before = num_threads();
  EXPECT_GE(before, 1);
  EXPECT_LE(before, 4096);
  set_num_threads(3);
  EXPECT_EQ(num_threads(), 3);
  set_num_threads(0);
  EXPECT_EQ(num_threads(), before);
}

TEST(NumThreads, RefusesSenselessCounts) {
  for (const int count : {-1, 4097}) {
    const std::string message = message_of([&] { set_num_threads(count); });
    EXPECT_NE(message.find(std::to_string(count)), std::string::npos) << message;
  }
}

TEST(NumThreads, OfACallIsWhatItAsksForOrTheDefault) {
  EXPECT_EQ(num_threads(0), num_threads());
  EXPECT_EQ(num_threads(4096), 4096);
  for (const int count : {-1, 4097}) {
    const std::string message = message_of([&] { num_threads(count); });
    EXPECT_NE(message.find("num_threads is " + std::to_string(count)), std::string::npos) << message;
  }
}

TEST(CpuInfo, IsPlausible) {
  const CpuInfo& info = cpu_info();
  EXPECT_FALSE(info.model.empty());
  EXPECT_GE(info.logical_cpus, 1);
  EXPECT_GE(info.l1d_bytes, 4 << 10);
  EXPECT_GE(info.l2_bytes, info.l1d_bytes);
}

}  // namespace
}  // namespace trntensor
