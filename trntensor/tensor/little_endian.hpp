// Whole numbers as little-endian bytes, as zip archives hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trntensor::io {

/// Reads numbers one after another; reading past the end gives zeros, makes `good` false and leaves nothing.
class LittleEndianReader {
 public:
  explicit LittleEndianReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() noexcept { return number(8); }
  std::span<const std::byte> take(std::size_t count) noexcept {
    if (count > bytes_.size()) {
      good_ = false;
      bytes_ = {};
      return {};
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size(); }
  [[nodiscard]] bool good() const noexcept { return good_; }

 private:
  std::uint64_t number(std::size_t width) noexcept {
    const auto bytes = take(width);
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
  }

  std::span<const std::byte> bytes_;
  bool good_ = true;
};

/// Appends numbers.
class LittleEndianWriter {
 public:
  LittleEndianWriter& u16(std::uint64_t value) { return number(value, 2); }
  LittleEndianWriter& u32(std::uint64_t value) { return number(value, 4); }
  LittleEndianWriter& u64(std::uint64_t value) { return number(value, 8); }
  LittleEndianWriter& bytes(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  [[nodiscard]] std::span<const std::byte> result() const noexcept { return bytes_; }

 private:
  LittleEndianWriter& number(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
    return *this;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace trntensor::io
