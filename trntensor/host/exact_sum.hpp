// Sums of products of doubles without any rounding, whatever their exponents.
#pragma once

#include <array>
#include <cstdint>

namespace trntensor::host {

/// A number held whole: a fixed-point register that spans every product of three doubles (and pieces of sums of
/// products), so that nothing overflows, underflows or is rounded before `to_double`.
///
/// Source: U. Kulisch, W. L. Miranker, "The arithmetic of the digital computer: a new approach", SIAM Review 28 (1986)
/// 1-40, doi:10.1137/1028001. Cost: some 10 ns a product; for what the vector kernels cannot hold.
class ExactSum {
 public:
  /// A few bits of a number: significand * 2^exponent.
  struct Piece {
    double significand = 0.0;
    int exponent = 0;
  };

  /// += a * b * 2^exponent; a and b must be finite, and |exponent| at most 2200.
  void add_product(double a, double b, int exponent = 0) noexcept;

  /// The number rounded once, to nearest, ties to even; subnormal and infinite results included. An empty sum is 0.
  [[nodiscard]] double to_double() const noexcept;

  /// The number as a sum of pieces, exact to at least 160 of its leading bits.
  [[nodiscard]] std::array<Piece, 7> pieces() const noexcept;

 private:
  static constexpr int kLimbs = 220;
  static constexpr int kLowest = -3600;  ///< exponent of the lowest bit

  void carry() noexcept;
  /// Limbs 0 .. 2^32 - 1 of the absolute value; tells whether the number is negative.
  bool to_magnitude(std::array<std::int64_t, kLimbs>& limbs) const noexcept;

  std::array<std::int64_t, kLimbs> limbs_{};  ///< 32 bits each, with room for carries
  int added_ = 0;                             ///< since carries were last passed on
};

}  // namespace trntensor::host
