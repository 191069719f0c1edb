// .npy files that are damaged or lie.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/tensor/file_fixtures.hpp"
#include "trntensor/tensor/npy.hpp"

namespace trntensor {
namespace {

using testing::Bytes;
using testing::expect_error;

constexpr auto kIo = ErrorKind::kIo;

Bytes with_header(std::string_view header, std::size_t data_bytes = 24) {
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(data_bytes, '\0');
  return testing::to_bytes(text);
}

void expect_header_refused(std::string_view header, const std::vector<std::string>& fragments, ErrorKind kind = kIo) {
  SCOPED_TRACE(std::string(header));
  expect_error(kind, fragments, [&] { read_npy(with_header(header), {}, "case.npy"); });
}

TEST(ReadNpy, TakesHeadersInAnyPythonSpelling) {
  for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                             "{\"shape\":(2,3,),\"descr\":\"<f4\",\"fortran_order\":False}",
                             " {  'fortran_order' : False , 'shape' : ( 2L , 3L ) , 'descr' : 'f4' } \n"}) {
    EXPECT_EQ(read_npy(with_header(header)).shape(), (Shape{2, 3})) << header;
  }
  EXPECT_EQ(read_npy(with_header("{'descr': '=f8', 'fortran_order': True, 'shape': ()}")).rank(), 0);
}

TEST(ReadNpy, RefusesDamagedHeadersAndSaysWhere) {
  expect_header_refused("", {"case.npy", "character 0", "'{'"});
  expect_header_refused("{}", {"'descr' is missing"});
  expect_header_refused("{'descr': '<f4', 'shape': (2, 3)}", {"'fortran_order' is missing"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False}", {"'shape' is missing"});
  expect_header_refused("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
                        {"'descr' is there twice"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", {"True or False", "character 34"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", {"',' or ')'"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", {"not a tuple"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}", {"extent"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, 3)}", {"',' or ')'"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", {"extent"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", {"extent"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}", {"'('"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': ()", {"'}'"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", {"after the dictionary"});
  expect_header_refused("{'descr': '<f4, 'fortran_order': False, 'shape': ()}", {"'}'"});
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'extra': 1}", {"unknown key 'extra'"});
  expect_header_refused("{'d\x01': 1}", {"unknown key 'd?'"});
  expect_header_refused("{'de\\x73cr': '<f4'}", {"escapes"});
  expect_header_refused("{descr: '<f4'}", {"in quotes"});
  expect_header_refused("{'descr': [('a', '<f4')", {"bracket is not closed"});
  std::string deep = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < 65; ++axis) deep += "1,";
  expect_header_refused(deep + ")}", {"64 axes"});
}

TEST(ReadNpy, RefusesUnknownTypes) {
  for (const char* type : {"", "<", "<f3", "f", "<g8", "<f4x", ">>f4", "<i16", "|V3", "<c4", "<b8"}) {
    expect_header_refused(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': ()}", {"case.npy"},
                          ErrorKind::kUnsupported);
  }
  expect_header_refused("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': ()}", {"structures"},
                        ErrorKind::kUnsupported);
}

TEST(ReadNpy, RefusesClaimsBeyondTheFileBeforeAllocating) {
  expect_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}", {"(7,)", "only 24 bytes"});
  expect_header_refused("{'descr': '<c16', 'fortran_order': True, 'shape': (9223372036854775807,)}", {"only 24 bytes"});
  expect_header_refused("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}",
                        {"only 24 bytes"});
  expect_header_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}", {"only 24 bytes"});
  expect_header_refused(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9223372036854775807, 9223372036854775807)}",
      {"only 24 bytes"});
}

TEST(ReadNpy, RefusesOtherFilesAndVersions) {
  expect_error(kIo, {"NUMPY"}, [] { read_npy(testing::to_bytes("PK\x03\x04 this is a zip archive")); });
  for (const auto& [position, value, fragment] :
       {std::tuple{6, 0, "version 0.0"}, {6, 4, "version 4.0"}, {7, 1, "version 1.1"}}) {
    Bytes bytes = with_header("{'descr': '<f4', 'fortran_order': False, 'shape': ()}");
    bytes[static_cast<std::size_t>(position)] = static_cast<std::byte>(value);
    expect_error(kIo, {fragment}, [&bytes = bytes] { read_npy(bytes); });
  }
}

TEST(ReadNpy, RefusesHugeHeaders) {
  Bytes bytes = testing::read_bytes(testing::fixture("version2.npy"));
  testing::put(bytes, 8, std::uint32_t{0xffffffff});
  expect_error(kIo, {"4294967295 bytes"}, [&] { read_npy(bytes); });
  testing::put(bytes, 8, std::uint32_t{65535});
  expect_error(kIo, {"65535 bytes are expected", "only 140"}, [&] { read_npy(bytes); });
}

TEST(ReadNpy, RefusesFilesCutOffAnywhere) {
  for (const char* name : {"fortran.npy", "version2.npy", "version3.npy", "scalar.npy"}) {
    const Bytes bytes = testing::read_bytes(testing::fixture(name));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      expect_error(kIo, {"memory"}, [&] { read_npy(std::span(bytes).first(size)); });
    }
  }
}

TEST(ReadNpy, TakesArraysWithMoreBehindThem) {
  Bytes bytes = testing::read_bytes(testing::fixture("scalar.npy"));
  bytes.resize(bytes.size() + 100);
  EXPECT_EQ(read_npy(bytes).item<double>(), 2.5);
}

}  // namespace
}  // namespace trntensor
