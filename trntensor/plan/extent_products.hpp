// Products of extents over sets of labels, eight labels at a time.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/fixed_bits.hpp"

namespace trntensor::plan {

/// The optimal search spends most of its time on these products, hence a table for each byte of a set.
class ExtentProducts {
 public:
  explicit ExtentProducts(std::span<const double> extents) : bytes_((extents.size() + 15) / 16 * 2) {
    for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
      bytes_[byte][0] = 1;
      for (std::size_t set = 1; set < 256; ++set) {
        const std::size_t label = 8 * byte + static_cast<std::size_t>(std::countr_zero(set));
        const double extent = label < extents.size() ? extents[label] : 1;
        bytes_[byte][set] = bounded_product(bytes_[byte][set & (set - 1)], extent);
      }
    }
  }

  template <std::size_t kWords>
  [[nodiscard]] double of(const FixedBits<kWords>& labels) const noexcept {
    double even = 1;  // two chains, since a multiplication waits for the one before
    double odd = 1;
    for (std::size_t byte = 0; byte < bytes_.size(); byte += 2) {
      const std::uint64_t word = labels.words[byte / 8] >> (8 * (byte % 8));
      even = bounded_product(even, bytes_[byte][word & 0xff]);
      odd = bounded_product(odd, bytes_[byte + 1][(word >> 8) & 0xff]);
    }
    return bounded_product(even, odd);
  }

 private:
  std::vector<std::array<double, 256>> bytes_;
};

}  // namespace trntensor::plan
