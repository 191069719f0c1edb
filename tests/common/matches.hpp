// Comparison of a computed contraction with the oracle's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iomanip>
#include <span>
#include <vector>

#include "tests/common/tolerance.hpp"
#include "trntensor/reference/reference.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {

/// What a comparison needs besides the two tensors.
struct Precise {
  DType accumulator = DType::kFloat64;  ///< products and sums are held in it
  double depth = 1;                     ///< terms per element: reference::contraction_depth
  std::size_t operands = 2;
};

namespace detail {

// Whether a real part is right. The last finite number and infinity are neighbours: an error within bounds can tip one
// to the other.
inline bool is_close(double actual, double expected, double bound, DType output) {
  if (std::isinf(expected) || std::isinf(actual)) {
    return actual == expected || (std::signbit(actual) == std::signbit(expected) &&
                                  std::min(std::abs(actual), std::abs(expected)) >= largest(output));
  }
  return std::abs(actual - expected) <= bound;
}

// Where a NaN or an infinity took part, the order of sums and products decides between NaN and infinity
// (inf * (1 - 2) is not inf * 1 - inf * 2), but never makes a finite number of it. float8_e4m3fn has no infinity.
inline bool is_not_finite(const std::complex<double>& value) {
  return !std::isfinite(value.real()) || !std::isfinite(value.imag());
}

inline ::testing::AssertionResult equal_integers(const Tensor& actual, const Tensor& expected) {
  const auto got = actual.astype(DType::kUInt64).to_vector<std::uint64_t>();
  const auto wanted = expected.astype(DType::kUInt64).to_vector<std::uint64_t>();
  const auto [at, other] = std::ranges::mismatch(got, wanted);
  if (at == got.end()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "element " << at - got.begin() << " is " << static_cast<std::int64_t>(*at)
                                       << " instead of " << static_cast<std::int64_t>(*other) << "\n";
}

inline ::testing::AssertionResult close_numbers(const Tensor& actual, const Tensor& expected, const Tensor& magnitude,
                                                const Precise& precise) {
  const DType output = expected.dtype();
  const auto got = actual.to_vector<std::complex<double>>();
  const auto wanted = expected.to_vector<std::complex<double>>();
  const auto moduli = magnitude.to_vector<double>();
  for (std::size_t n = 0; n < got.size(); ++n) {
    if (!std::isfinite(moduli[n])) {
      if (is_not_finite(got[n]) || output == DType::kFloat8E4M3FN) continue;
      return ::testing::AssertionFailure() << "element " << n << " is " << got[n] << ", but a NaN or an infinity took "
                                           << "part in it\n";
    }
    if (moduli[n] > largest(precise.accumulator)) continue;  // an overflow on the way is no error
    const double bound =
        tolerance(precise.accumulator, output, precise.depth, precise.operands, std::abs(wanted[n]), moduli[n]);
    if (is_close(got[n].real(), wanted[n].real(), bound, output) &&
        is_close(got[n].imag(), wanted[n].imag(), bound, output)) {
      continue;
    }
    auto failure = ::testing::AssertionFailure() << "element " << n << " is ";
    const ::testing::Message digits = ::testing::Message() << std::setprecision(17) << got[n] << " instead of "
                                                           << wanted[n] << "; the tolerance is " << bound << "\n";
    return failure << digits;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace detail

/// Compares a computed contraction with the oracle element by element: integers and bool exactly, floating types
/// within `tolerance`, NaN or infinities at the same places. The message names the first element that is wrong; stream
/// the seed, the spec and the operands' layouts behind it.
inline ::testing::AssertionResult matches(const Tensor& actual, const Tensor& expected, const Tensor& magnitude,
                                          const Precise& precise) {
  if (actual.dtype() != expected.dtype()) {
    return ::testing::AssertionFailure() << "dtype " << to_string(actual.dtype()) << " instead of "
                                         << to_string(expected.dtype()) << "\n";
  }
  if (actual.shape() != expected.shape()) {
    return ::testing::AssertionFailure() << "shape " << format_shape(actual.shape()) << " instead of "
                                         << format_shape(expected.shape()) << "\n";
  }
  if (epsilon(expected.dtype()) == 0) return detail::equal_integers(actual, expected);
  return detail::close_numbers(actual, expected, magnitude, precise);
}

/// Compares with what the oracle makes of these operands.
inline ::testing::AssertionResult matches_reference(const Tensor& actual, const Spec& spec,
                                                    std::span<const TensorView> operands, DType accumulator,
                                                    const reference::ReferenceOptions& options = {}) {
  return matches(actual, reference::einsum(spec, operands, options), reference::magnitude(spec, operands, options),
                 {accumulator, reference::contraction_depth(spec), operands.size()});
}

}  // namespace trntensor::testing
