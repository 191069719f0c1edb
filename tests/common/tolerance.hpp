// How far a computed contraction may be from the exact one, derived from the problem.
#pragma once

#include <cstddef>
#include <numbers>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::testing {

/// Distance from 1 to the next number: twice the unit roundoff. 0 for bool and integers.
inline double epsilon(DType dtype) {
  switch (real_type(dtype)) {
    case DType::kFloat64:
      return 0x1p-52;
    case DType::kFloat32:
      return 0x1p-23;
    case DType::kFloat16:
      return 0x1p-10;
    case DType::kBFloat16:
      return 0x1p-7;
    case DType::kFloat8E4M3:
    case DType::kFloat8E4M3FN:
      return 0x1p-3;
    case DType::kFloat8E5M2:
      return 0x1p-2;
    default:
      return 0;
  }
}

/// The smallest positive number of a floating type: what a result near 0 may be off by, twice over, when it is rounded.
inline double smallest(DType dtype) {
  switch (real_type(dtype)) {
    case DType::kFloat64:
      return 0x1p-1074;
    case DType::kFloat32:
      return 0x1p-149;
    case DType::kFloat16:
      return 0x1p-24;
    case DType::kBFloat16:
      return 0x1p-133;
    case DType::kFloat8E4M3:
    case DType::kFloat8E4M3FN:
      return 0x1p-9;
    case DType::kFloat8E5M2:
      return 0x1p-16;
    default:
      return 0;
  }
}

/// Bound on |computed - exact| for one element whose exact value has modulus `value` and whose terms have moduli that
/// sum to `magnitude`, when products and sums are held in `accumulator` and the result is rounded to `output`.
///
/// Derivation (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, lemma 3.1 and section 3.1): an
/// element is a sum of `depth` products of `operands` factors, then scaled and added to beta * out. Along any order of
/// pairwise contraction, and any order of summation within a step, a term meets at most operands - 1 rounded products
/// and, summed over the steps, at most depth - 1 + operands rounded additions (the product of the steps' depths is at
/// most `depth` and each is at least 1); scaling adds 3 more. So |error| <= g(n) * magnitude with
/// n = depth + 2 * operands + 2, g(n) = n u / (1 - n u) <= 2 n u = n * eps for n u <= 1/2. A complex product is two
/// real products and a sum, which costs a factor of at most 2 sqrt(2) (Higham, lemma 3.5). Rounding to the output type
/// moves the computed value by half an eps of it, and by half the smallest number where it underflows.
inline double tolerance(DType accumulator, DType output, double depth, std::size_t operands, double value,
                        double magnitude) {
  const double roundings = depth + 2 * static_cast<double>(operands) + 2;
  const double complex_factor = is_complex(accumulator) ? 2 * std::numbers::sqrt2 : 1;
  const double sum_error =
      complex_factor * roundings * epsilon(accumulator) * magnitude + roundings * smallest(accumulator);
  return sum_error + epsilon(output) * (value + sum_error) + smallest(output);
}

/// The largest finite number of a floating type.
inline double largest(DType dtype) {
  switch (real_type(dtype)) {
    case DType::kFloat64:
      return 0x1.fffffffffffffp+1023;
    case DType::kFloat32:
      return 0x1.fffffep+127;
    case DType::kFloat16:
      return 65504;
    case DType::kBFloat16:
      return 0x1.fep+127;
    case DType::kFloat8E4M3:
      return 240;
    case DType::kFloat8E4M3FN:
      return 448;
    case DType::kFloat8E5M2:
      return 57344;
    default:
      return 0;
  }
}

}  // namespace trntensor::testing
