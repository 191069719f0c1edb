// Files for tests: the values of the committed ones, folders for new ones, and bytes to change.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {

using Bytes = std::vector<std::byte>;

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(TRNTENSOR_TEST_DATA) / "numpy" / name;
}

/// The element types that NumPy has too.
inline std::vector<DType> numpy_dtypes() {
  std::vector<DType> result;
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const bool ours_only = is_floating(dtype) && size_of(dtype) < 4 && dtype != DType::kFloat16;
    if (!ours_only) result.push_back(dtype);
  }
  return result;
}

/// The 2 x 3 values that tests/data/numpy/make_fixtures.py writes for a type.
inline std::vector<std::complex<double>> fixture_values(DType dtype) {
  if (dtype == DType::kBool) return {0, 1, 0, 1, 1, 0};
  const bool has_sign = !is_integer(dtype) || is_signed(dtype);
  std::vector<std::complex<double>> values{0, 1, has_sign ? -2.0 : 2.0, 3, 100, size_of(dtype) == 1 ? 100.0 : 258.0};
  if (is_complex(dtype)) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += std::complex<double>(0, static_cast<double>(i));
  }
  return values;
}

inline void expect_fixture(const Tensor& tensor, DType dtype) {
  EXPECT_EQ(tensor.dtype(), dtype);
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(tensor.to_vector<std::complex<double>>(), fixture_values(dtype)) << to_string(dtype);
}

/// The fixture's values as a tensor of ours.
inline Tensor fixture_tensor(DType dtype) {
  const auto values = fixture_values(dtype);
  return Tensor::from_values<std::complex<double>>({2, 3}, values).astype(dtype);
}

inline Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

inline Bytes to_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Writes a little-endian number into the bytes.
template <typename T>
void put(Bytes& bytes, std::size_t position, T value) {
  ASSERT_LE(position + sizeof value, bytes.size());
  std::memcpy(bytes.data() + position, &value, sizeof value);
}

template <typename T>
T get(const Bytes& bytes, std::size_t position) {
  T value{};
  if (position + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + position, sizeof value);
  return value;
}

inline std::string quoted(std::string_view text) {
  std::string result(1, '"');
  result += text;
  result += '"';
  return result;
}

/// Position of the `which`-th occurrence of `text`, from 0.
inline std::size_t find_text(const Bytes& bytes, std::string_view text, int which = 0) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::size_t position = all.find(text);
  for (; which > 0; --which) position = all.find(text, position + 1);
  EXPECT_NE(position, std::string_view::npos) << text;
  return position;
}

/// An empty folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trntensor-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) result.push_back(entry.path().filename());
    std::ranges::sort(result);
    return result;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace trntensor::testing
