// Integer arithmetic on sizes that says when 64 bits do not suffice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace trntensor {

/// a * b, or nothing if it leaves the range of int64.
inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// a + b, or nothing if it leaves the range of int64.
inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// a * b of counts of bytes or elements; 2^61 where it is larger, so that two of them can still be added.
inline std::int64_t saturated_multiply(std::int64_t a, std::int64_t b) noexcept {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  const auto product = checked_multiply(a, b);
  return product && *product < kMost ? *product : kMost;
}

/// Product of non-negative extents (1 for none, 0 if any is 0), or nothing if it leaves the range of int64.
inline std::optional<std::int64_t> checked_product(std::span<const std::int64_t> extents) noexcept {
  std::int64_t product = 1;
  bool overflow = false;
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
    overflow |= __builtin_mul_overflow(product, extent, &product);
  }
  if (overflow) return std::nullopt;
  return product;
}

}  // namespace trntensor
