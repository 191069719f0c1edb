// Comparison of a computed contraction with the oracle's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iomanip>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tests/common/special_values.hpp"
#include "tests/common/tolerance.hpp"
#include "trntensor/reference/reference.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {

/// What a comparison needs besides the two tensors.
struct Precise {
  DType accumulator = DType::kFloat64;  ///< products and sums are held in it
  double depth = 1;                     ///< terms per element: reference::contraction_depth
  std::size_t operands = 2;
  std::vector<ExpectedParts> parts = {};  ///< of every element; none: special values may give NaN or infinity
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

// Whether an element in which a NaN or an infinity took part is right. Without known classes the order of sums and
// products decides between NaN and infinity (inf * (1 - 2) is not inf * 1 - inf * 2), but never makes a finite number
// of it, nor of either part of a complex product.
inline bool is_right_special(std::size_t n, const std::complex<double>& actual, const Precise& precise, DType output) {
  const auto is_special = [&](double part) { return is_of_class(part, NumberClass::kNanOrInfinity, output); };
  if (precise.parts.empty()) {
    const bool both = is_complex(precise.accumulator) && precise.operands > 1;
    return both ? is_special(actual.real()) && is_special(actual.imag())
                : is_special(actual.real()) || is_special(actual.imag());
  }
  const auto is_right = [&](double part, const ExpectedPart& expected) {
    if (expected.kind != NumberClass::kFinite) return is_of_class(part, expected.kind, output);
    const double bound = tolerance(precise.accumulator, output, precise.depth, precise.operands,
                                   std::abs(expected.value), expected.magnitude);
    return is_close(part, expected.value, bound, output);
  };
  return is_right(actual.real(), precise.parts[n][0]) && is_right(actual.imag(), precise.parts[n][1]);
}

inline std::string describe_expected(std::size_t n, const Precise& precise) {
  if (precise.parts.empty()) return "no finite number, as a NaN or an infinity took part in it";
  std::ostringstream text;
  for (const ExpectedPart& part : precise.parts[n]) {
    text << (text.tellp() > 0 ? " and " : "") << to_string(part.kind);
    if (part.kind == NumberClass::kFinite) text << ' ' << part.value;
  }
  return text.str();
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
      if (is_right_special(n, got[n], precise, output)) continue;
      return ::testing::AssertionFailure()
             << "element " << n << " is " << got[n] << " instead of " << describe_expected(n, precise) << "\n";
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
/// within `tolerance`, special values by `precise.parts`. The message names the first element that is wrong; stream
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

/// Compares with what the oracle makes of these operands. NaN and infinities must be those of `expected_parts` where
/// its conditions hold.
inline ::testing::AssertionResult matches_reference(const Tensor& actual, const Spec& spec,
                                                    std::span<const TensorView> operands, DType compute,
                                                    DType accumulator, reference::ReferenceOptions options = {}) {
  options.compute_dtype = compute;
  const Tensor magnitude = reference::magnitude(spec, operands, options);
  Precise precise{accumulator, reference::contraction_depth(spec), operands.size()};
  const auto moduli = magnitude.to_vector<double>();
  const bool has_specials = !std::ranges::all_of(moduli, [](double modulus) { return std::isfinite(modulus); });
  const bool real_scales = options.alpha.imag() == 0 && options.beta.imag() == 0;
  if (has_specials && operands.size() <= 2 && real_scales && options.alpha != 0.0) {
    precise.parts = expected_parts(spec, operands, compute, accumulator, options);
  }
  return matches(actual, reference::einsum(spec, operands, options), magnitude, precise);
}

}  // namespace trntensor::testing
