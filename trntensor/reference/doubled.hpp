// A number as the unevaluated sum of two long doubles: twice their digits, by error-free transformations.
// Source: T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18, 224 (1971),
// doi:10.1007/BF01397083; D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B.
#pragma once

namespace trntensor::reference {

/// high + low with |low| at most half a unit of high; low is 0 when high is infinite or NaN.
struct Doubled {
  long double high = 0;
  long double low = 0;
};

/// x + y, relative error below 2^-125 of |x| + |y|.
Doubled add(Doubled x, Doubled y) noexcept;

/// x * y, relative error below 2^-124.
Doubled multiply(Doubled x, long double y) noexcept;

/// Nearest double, ties to even, rounded once.
double to_nearest(Doubled x) noexcept;

/// x as a double that is rounded to odd: inexact values get a last bit of 1, so that a second rounding to a type of at
/// most 51 digits gives what rounding x itself would give.
double to_odd(Doubled x) noexcept;

}  // namespace trntensor::reference
