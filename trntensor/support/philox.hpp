// Random bits that are a function of a key and a counter: Philox4x32 with 10 rounds.
#pragma once

#include <array>
#include <cstdint>

namespace trntensor {

/// 128 random bits, as four words, for a counter and a key; the same on every machine. Neighbouring counters and keys
/// give independent bits.
/// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC '11
/// (2011) article 16, doi:10.1145/2063384.2063405; held by the known answers of Random123 in tests/support.
constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key) noexcept {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// Two of the 64-bit words of a seed: numbers 2 `pair` and 2 `pair` + 1.
constexpr std::array<std::uint64_t, 2> random_pair(std::uint64_t seed, std::uint64_t pair) noexcept {
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
  const auto bits = philox4x32({low(pair), high(pair), 0, 0}, {low(seed), high(seed)});
  return {bits[0] | std::uint64_t{bits[1]} << 32, bits[2] | std::uint64_t{bits[3]} << 32};
}

/// Word `number` of a seed.
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t number) noexcept {
  return random_pair(seed, number / 2)[number % 2];
}

}  // namespace trntensor
