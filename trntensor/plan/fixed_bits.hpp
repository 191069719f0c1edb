// Bitsets of a size fixed at compile time, for the inner loops of the optimal search.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace trntensor::plan {

template <std::size_t kWords>
struct FixedBits {
  static constexpr std::size_t kCapacity = 64 * kWords;

  std::array<std::uint64_t, kWords> words{};

  void insert(std::size_t bit) noexcept { words[bit / 64] |= std::uint64_t{1} << (bit % 64); }

  [[nodiscard]] bool intersects(const FixedBits& other) const noexcept {
    std::uint64_t common = 0;
    for (std::size_t w = 0; w < kWords; ++w) common |= words[w] & other.words[w];
    return common != 0;
  }

  /// True when every bit is in `other`.
  [[nodiscard]] bool is_within(const FixedBits& other) const noexcept {
    std::uint64_t rest = 0;
    for (std::size_t w = 0; w < kWords; ++w) rest |= words[w] & ~other.words[w];
    return rest == 0;
  }

  friend FixedBits operator|(FixedBits a, const FixedBits& b) noexcept {
    for (std::size_t w = 0; w < kWords; ++w) a.words[w] |= b.words[w];
    return a;
  }
  friend FixedBits operator&(FixedBits a, const FixedBits& b) noexcept {
    for (std::size_t w = 0; w < kWords; ++w) a.words[w] &= b.words[w];
    return a;
  }
  friend FixedBits operator-(FixedBits a, const FixedBits& b) noexcept {
    for (std::size_t w = 0; w < kWords; ++w) a.words[w] &= ~b.words[w];
    return a;
  }
  friend bool operator==(const FixedBits&, const FixedBits&) = default;

  /// Calls `function(bit)` for each bit in ascending order.
  template <typename Function>
  void for_each(Function&& function) const {
    for (std::size_t w = 0; w < kWords; ++w) {
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
        function(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  [[nodiscard]] std::uint64_t hash() const noexcept {
    std::uint64_t value = 0;
    for (const std::uint64_t word : words) value = (std::rotl(value, 23) ^ word) * 0x9e3779b97f4a7c15ULL;
    return value ^ (value >> 29);
  }
};

}  // namespace trntensor::plan
