// Precision kahan in single precision: an error below 1.5 units in the last place of the float32 result.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "tests/precision/random_numbers.hpp"
#include "tests/precision/wide_oracle.hpp"

namespace trntensor {
namespace {

/// The distance between the float32 numbers around `value`.
double ulp32(double value) {
  const auto single = static_cast<float>(std::abs(value));
  return static_cast<double>(std::nextafter(single, std::numeric_limits<float>::infinity())) - double{single};
}

TEST(Kahan, Float32ResultsAreWithinOneAndAHalfUlp) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    const DType dtype = seed % 2 == 0 ? DType::kFloat32 : DType::kComplex64;
    const auto k = static_cast<std::int64_t>(500 + 300 * seed);
    const std::vector<Tensor> operands{testing::random_tensor(random, {4, k}, dtype),
                                       testing::random_tensor(random, {k, 3}, dtype)};
    const Tensor result = einsum("ij,jk->ik", {operands[0], operands[1]}, {.precision = Precision::kKahan});
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < result.size(); ++i) all.push_back(i);
    const auto exact = testing::wide_elements("ij,jk->ik", operands, {}, all);
    for (const std::int64_t i : all) {
      const auto check = [&](const testing::WidePart& part, double got) {
        const double error = (testing::WideNumber(got) - part.value).abs().to_double();
        // A float64 sum errs by less than 300 * 2^-52 of the magnitude: 0.11 ulp at a condition number of 1e5, the
        // rest is for the rounding.
        ASSERT_LT(part.magnitude.to_double(), 1e5 * std::abs(part.value.to_double()));
        EXPECT_LT(error, 1.5 * ulp32(part.value.to_double())) << seed << " element " << i;
      };
      const std::complex<double> got = testing::element_of(result, i);
      check(exact[static_cast<std::size_t>(i)].re, got.real());
      if (is_complex(dtype)) check(exact[static_cast<std::size_t>(i)].im, got.imag());
    }
  }
}

}  // namespace
}  // namespace trntensor
