// Small integer arithmetic on counts and sizes.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace trntensor::host {

/// a / b rounded up; a >= 0, b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) noexcept { return (a + b - 1) / b; }

/// A count that is not negative, as containers take it.
template <std::signed_integral Integer>
constexpr std::size_t to_size(Integer count) noexcept {
  return static_cast<std::size_t>(count);
}

/// A place in a list.
constexpr std::size_t to_index(int position) noexcept { return to_size(position); }

/// log2 of a power of two: the place of a size in a table by size.
constexpr std::size_t size_log2(std::int64_t size) noexcept {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(size)));
}

}  // namespace trntensor::host
