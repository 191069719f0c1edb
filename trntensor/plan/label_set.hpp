// A set of labels as a bitset; up to 256 labels without an allocation.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "trntensor/support/inline_vector.hpp"

namespace trntensor::plan {

/// Sets that meet in an operation are made for the same number of labels.
class LabelSet {
 public:
  LabelSet() = default;
  explicit LabelSet(std::size_t labels) : words_((labels + 63) / 64, 0) {}

  void insert(std::size_t label) noexcept { words_[label / 64] |= bit(label); }
  void erase(std::size_t label) noexcept { words_[label / 64] &= ~bit(label); }
  [[nodiscard]] bool contains(std::size_t label) const noexcept { return (words_[label / 64] & bit(label)) != 0; }

  [[nodiscard]] bool empty() const noexcept {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }

  LabelSet& operator|=(const LabelSet& other) noexcept {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  LabelSet& operator&=(const LabelSet& other) noexcept {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
  }
  LabelSet& operator^=(const LabelSet& other) noexcept {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] ^= other.words_[w];
    return *this;
  }
  /// Removes the labels of `other`.
  LabelSet& operator-=(const LabelSet& other) noexcept {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
    return *this;
  }
  friend LabelSet operator|(LabelSet a, const LabelSet& b) noexcept { return a |= b; }
  friend LabelSet operator&(LabelSet a, const LabelSet& b) noexcept { return a &= b; }
  friend LabelSet operator^(LabelSet a, const LabelSet& b) noexcept { return a ^= b; }
  friend LabelSet operator-(LabelSet a, const LabelSet& b) noexcept { return a -= b; }
  friend bool operator==(const LabelSet& a, const LabelSet& b) noexcept { return a.words_ == b.words_; }

  /// Calls `function(label)` for each label in ascending order.
  template <typename Function>
  void for_each(Function&& function) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        function(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  /// 64 labels each, in order.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return {words_.data(), words_.size()}; }

  [[nodiscard]] std::size_t hash() const noexcept {
    std::uint64_t value = 0;
    for (const std::uint64_t word : words_) value = (std::rotl(value, 23) ^ word) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(value ^ (value >> 32));
  }

 private:
  static constexpr std::uint64_t bit(std::size_t label) noexcept { return std::uint64_t{1} << (label % 64); }

  InlineVector<std::uint64_t, 4> words_;
};

struct LabelSetHash {
  std::size_t operator()(const LabelSet& set) const noexcept { return set.hash(); }
};

}  // namespace trntensor::plan
