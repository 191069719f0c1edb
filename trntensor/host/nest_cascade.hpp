// Sums of many blocks, added in pairs so that the rounding error grows with the logarithm of their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "trntensor/support/inline_vector.hpp"

namespace trntensor::host {

/// A binary counter of blocks: level i holds the sum of 2^i blocks. The order of additions depends on the number of
/// blocks only.
class NestCascade {
 public:
  /// Blocks of memory needed for the sum of `count` blocks.
  static std::int64_t blocks_for(std::int64_t count) noexcept {
    std::int64_t blocks = 2;
    for (; count > 1; count /= 2) ++blocks;
    return blocks;
  }

  NestCascade(std::byte* memory, std::int64_t block_bytes, std::int64_t count) {
    for (std::int64_t i = 0; i < blocks_for(count); ++i) blocks_.push_back(memory + i * block_bytes);
  }

  /// Where the next block is to be written.
  [[nodiscard]] std::byte* next() const noexcept { return blocks_[blocks_.size() - 1]; }

  /// Takes the block that `next` holds. combine(acc, other) adds the block `other` to `acc`.
  template <typename Combine>
  void push(const Combine& combine) {
    std::byte*& incoming = blocks_[blocks_.size() - 1];
    std::size_t level = 0;
    for (; (count_ >> level & 1) != 0; ++level) {
      combine(blocks_[level], incoming);
      std::swap(blocks_[level], incoming);
    }
    std::swap(blocks_[level], incoming);
    ++count_;
  }

  /// The sum of all blocks; at least one was pushed.
  template <typename Combine>
  std::byte* total(const Combine& combine) {
    std::byte* sum = nullptr;
    for (std::size_t level = 0; count_ >> level != 0; ++level) {
      if ((count_ >> level & 1) == 0) continue;
      if (sum != nullptr) combine(blocks_[level], sum);
      sum = blocks_[level];
    }
    return sum;
  }

 private:
  InlineVector<std::byte*, 16> blocks_;  // the last one is `next`
  std::uint64_t count_ = 0;
};

}  // namespace trntensor::host
