// Contractions in 300 bits, and the bounds that precision "dd" promises.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/precision/wide_number.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor::testing {

/// A real or imaginary part of an element: its value and the sum of the absolute values of its terms.
struct WidePart {
  WideNumber value;
  WideNumber magnitude;
};
struct WideElement {
  WidePart re;
  WidePart im;
};

/// alpha * contraction + beta * old for elements `indices` (in C order) of the result of finite operands.
std::vector<WideElement> wide_elements(const std::string& subscripts, const std::vector<Tensor>& operands,
                                       const EinsumOptions& options, const std::vector<std::int64_t>& indices);

/// Contracts in precision dd and compares up to `most` elements, spread evenly: the result, rounded once, with
/// eps / 2 |exact| + 2^-100 magnitude; and with beta = 0 and results of double precision what was there before the
/// rounding, which the same contraction less its result brings to light, with 2^-100 magnitude alone. Where the result
/// underflows, half the smallest number is allowed for the rounding.
::testing::AssertionResult dd_holds_its_bound(const std::string& subscripts, const std::vector<Tensor>& operands,
                                              EinsumOptions options = {}, std::int64_t most = 2000);

/// An element of a tensor in C order.
std::complex<double> element_of(const TensorView& tensor, std::int64_t index);

}  // namespace trntensor::testing
