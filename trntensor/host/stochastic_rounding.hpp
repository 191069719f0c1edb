// Rounding to one of the two neighbours in a narrower type, at random.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::host {

/// A run of numbers, each a value and a rest beyond its last place, on their way to elements of a tensor: value + rest
/// + beta * old. Complex numbers are pairs.
struct StochasticRun {
  const double* values = nullptr;
  const double* rests = nullptr;   ///< null: they are 0
  const std::byte* old = nullptr;  ///< side by side, as doubles like the values; not read where beta is 0
  std::complex<double> beta = 0.0;
  std::byte* out = nullptr;
  std::int64_t out_step = 0;  ///< bytes
  std::int64_t count = 0;     ///< elements
  std::uint64_t seed = 0;
  std::uint64_t first = 0;  ///< index of the first element; the others follow
};

/// Rounds every part of every number x to a value of the type of the result:
/// - x itself where the type has it;
/// - else the nearest value below or the nearest above, the latter with probability (x - below) / (above - below), cut
///   to 64 bits. Subnormal values are values. Beyond the largest finite one the next is the power of 2 that would
///   follow it, which stands for infinity, or in float8_e4m3fn for the largest; from there on all is infinity, or the
///   largest;
/// - NaN and infinities as everywhere; a result of 0 keeps the sign of x.
/// The choice depends on x, the seed and the number of the part, on nothing else: the part goes up in magnitude if its
/// random word (support/philox.hpp) is less than 2^64 times that fraction of its magnitude. Parts are numbered in the
/// order of the elements: the element's index if the result is real; twice that, and one more for the imaginary part,
/// if it is complex.
using RoundStochastically = void (*)(const StochasticRun& run) noexcept;

/// The function for elements of type `out`, floating or complex, from numbers of one part or two; a real number has an
/// imaginary part of 0.
RoundStochastically stochastic_rounding(DType out, bool from_complex);

}  // namespace trntensor::host
