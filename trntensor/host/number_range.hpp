// The range of the numbers of an operand, which tells whether products of its elements can be held in doubles.
#pragma once

#include <algorithm>

#include "trntensor/plan/operand_layout.hpp"

namespace trntensor::host {

/// Of the finite numbers that are not 0, real and imaginary parts alike.
struct NumberRange {
  int lowest_bit = 2000;  ///< all are multiples of 2^lowest_bit; large when there are none
  int highest = -2000;    ///< all are below 2^highest in absolute value
  bool is_finite = true;  ///< neither NaN nor infinity among the elements

  void add(double number) noexcept;
  void add(const NumberRange& other) noexcept {
    lowest_bit = std::min(lowest_bit, other.lowest_bit);
    highest = std::max(highest, other.highest);
    is_finite = is_finite && other.is_finite;
  }
};

/// The range of an operand's elements as a step that sums in float64 or complex128 (`accumulator`) reads them.
/// Cost: every element is read once.
NumberRange range_of(const OperandLayout& layout, DType accumulator, const void* data);

}  // namespace trntensor::host
