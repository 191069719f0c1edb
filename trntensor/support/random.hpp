// A small seeded generator with the same stream on every platform (splitmix64; Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cstdint>

namespace trntensor {

/// Counter-based: the n-th number depends on the seed and n only, so streams can be split over threads.
class Random {
 public:
  using result_type = std::uint64_t;
  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return ~std::uint64_t{0}; }
  constexpr result_type operator()() noexcept { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

  /// Uniform in [0, 1), 53 bits.
  constexpr double uniform() noexcept { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }
  /// Uniform in [low, high), both ends finite.
  constexpr double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }
  /// Uniform whole number in [low, high].
  constexpr std::int64_t integer(std::int64_t low, std::int64_t high) noexcept {
    const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t offset = range == 0 ? (*this)() : (*this)() % range;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace trntensor
