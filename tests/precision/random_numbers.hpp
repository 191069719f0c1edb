// Tensors whose elements spread over many binary orders of magnitude.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/common/random_tensor.hpp"

namespace trntensor::testing {

/// +-2^e with random digits, e between -spread and spread within the range of doubles; one in ten is 0.
inline double spread_number(Random& random, int spread) {
  if (random.integer(0, 9) == 0) return 0.0;
  const double digits = random.uniform(1, 2) * (random.integer(0, 1) == 0 ? 1 : -1);
  return std::ldexp(digits, static_cast<int>(std::clamp<std::int64_t>(random.integer(-spread, spread), -1074, 1022)));
}

/// On any strides; `dtype` is float64 or complex128.
inline Tensor spread_tensor(Random& random, const Shape& shape, DType dtype, int spread,
                            const RandomTensorOptions& options = {}) {
  Tensor tensor = random_tensor(random, shape, dtype, options);
  const MutableTensorView view = tensor.mutable_view();
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    std::byte* const at = detail::address_of(view, i);
    if (dtype == DType::kFloat64) {
      store_element(at, spread_number(random, spread));
    } else {
      const double re = spread_number(random, spread);
      store_element(at, std::complex<double>(re, spread_number(random, spread)));
    }
  }
  return tensor;
}

}  // namespace trntensor::testing
