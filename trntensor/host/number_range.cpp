#include "trntensor/host/number_range.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/conversion.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52;
constexpr std::int64_t kPiece = 256;  ///< elements converted at a time

/// The least and the largest bit pattern of the absolute values, of which integers are quicker to compare.
struct BitRange {
  std::uint64_t least = UINT64_MAX;  ///< less 1, so that 0 is the largest
  std::uint64_t largest_finite = 0;
  std::uint64_t largest = 0;

  void add(const std::byte* numbers, std::int64_t step, std::int64_t count, int parts) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (int part = 0; part < parts; ++part) {
        const auto bits =
            load_element<std::uint64_t>(numbers + i * step + part * std::int64_t{sizeof(double)}) & (UINT64_MAX >> 1);
        least = std::min(least, bits - 1);
        largest = std::max(largest, bits);
        largest_finite = std::max(largest_finite, bits < kInfinity ? bits : 0);
      }
    }
  }

  [[nodiscard]] NumberRange range() const {
    NumberRange result;
    if (largest_finite != 0) {
      result.add(std::bit_cast<double>(least + 1));
      result.add(std::bit_cast<double>(largest_finite));
    }
    result.is_finite = largest < kInfinity;
    return result;
  }
};

}  // namespace

void NumberRange::add(double number) noexcept {
  if (number == 0.0) return;
  if (!std::isfinite(number)) {
    is_finite = false;
    return;
  }
  constexpr int kDigits = 53;
  constexpr int kLeast = -1074;
  const int exponent = std::ilogb(number) + 1;
  lowest_bit = std::min(lowest_bit, std::max(exponent - kDigits, kLeast));
  highest = std::max(highest, exponent);
}

NumberRange range_of(const OperandLayout& layout, DType accumulator, const void* data) {
  Group axes;
  for (const Axis& axis : layout.axes) {
    if (axis.extent != 1 && (axis.stride != 0 || axis.extent == 0)) axes.push_back({axis.extent, axis.stride, 0, 0});
  }
  std::sort(axes.begin(), axes.end(),
            [](const GroupAxis& x, const GroupAxis& y) { return std::abs(x.a) > std::abs(y.a); });
  fuse(axes);
  const std::int64_t elements = size_of(axes);
  BitRange bits;
  if (elements == 0) return bits.range();
  const Conversion load = Conversion::loading({layout.dtype, layout.load_as}, accumulator);
  const std::int64_t size = load.source_size();
  const int parts = is_complex(accumulator) ? 2 : 1;
  const std::int64_t run = axes.empty() ? 1 : axes.back().extent;
  const std::int64_t step = axes.empty() ? 0 : axes.back().a * size;
  alignas(64) std::array<std::byte, kPiece * 16> buffer;
  for (std::int64_t first = 0; first < elements; first += run) {
    const std::byte* from = static_cast<const std::byte*>(data) + offset_of(axes, &GroupAxis::a, first) * size;
    if (load.is_identity()) {
      bits.add(from, step, run, parts);
      continue;
    }
    for (std::int64_t i = 0; i < run; i += kPiece) {
      const std::int64_t count = std::min(kPiece, run - i);
      load.run(from + i * step, step, buffer.data(), load.target_size(), count);
      bits.add(buffer.data(), load.target_size(), count, parts);
    }
  }
  return bits.range();
}

}  // namespace trntensor::host
