// Short ways to make tensors and to state what a tensor must hold.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <vector>

#include "tests/common/expect_error.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {

/// first, first + 1, ... in C order.
template <typename T = double>
Tensor range(Shape shape, T first = T{0}) {
  Tensor tensor = Tensor::empty(std::move(shape), dtype_of<T>);
  std::iota(tensor.data_as<T>(), tensor.data_as<T>() + tensor.size(), first);
  return tensor;
}

template <typename T = double>
Tensor ones(Shape shape) {
  return Tensor::full(std::move(shape), 1.0, dtype_of<T>);
}

inline void expect_values(const Tensor& actual, const Shape& shape, const std::vector<double>& values) {
  EXPECT_EQ(format_shape(actual.shape()), format_shape(shape));
  EXPECT_EQ(actual.to_vector<double>(), values);
}

}  // namespace trntensor::testing
