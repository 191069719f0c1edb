// Sums with corrections: the exact errors they are made of, and one rule for corrections that mean nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/kernels/two_sum.hpp"
#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/host/tile_combine.hpp"

namespace trntensor::host {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(TwoSum, AndTwoProductGiveTheExactErrors) {
  EXPECT_EQ(two_sum(0x1p53, 1.0).value, 0x1p53);
  EXPECT_EQ(two_sum(0x1p53, 1.0).error, 1.0);
  EXPECT_EQ(two_sum(1.0, 0x1p53).error, 1.0);
  EXPECT_EQ(two_sum(0x1p53, -0x1p53 + 1.0).error, 0.0);
  const WithError square = two_product(1.0 + 0x1p-30, 1.0 + 0x1p-30);
  EXPECT_EQ(square.value, 1.0 + 0x1p-29);
  EXPECT_EQ(square.error, 0x1p-60);
  EXPECT_EQ(two_product(0x1p1000, 1.0 + 0x1p-52).error, 0.0);
}

TEST(CompensatedSum, KeepsWhatAPlainSumLoses) {
  CompensatedSum sum;
  EXPECT_TRUE(std::signbit(sum.value()));  // -0: what changes no term
  for (const double term : {0x1p60, 0.25, -0x1p60}) sum.add(term);
  EXPECT_EQ(sum.value(), 0.25);
  sum.multiply_add(2.0, CompensatedSum{0x1p60, 0.5});
  sum.multiply_add(-0x1p30, 0x1p31);
  EXPECT_EQ(sum.value(), 1.25);
}

/// What every way from a sum and its correction to a result makes of them, times alpha; the sum may be of real or of
/// complex numbers, whose second part is 1 with no correction.
std::vector<double> values_of_all_routes(double sum, double correction, double alpha) {
  std::vector<double> values;
  for (const bool is_complex : {false, true}) {
    const DType dtype = is_complex ? DType::kComplex128 : DType::kFloat64;
    const std::vector<double> block =
        is_complex ? std::vector<double>{sum, 1.0, correction, 0.0} : std::vector<double>{sum, correction};
    const std::complex<double> factor = alpha;
    double result[2] = {};
    CombineArgs args;
    args.sums = reinterpret_cast<const std::byte*>(block.data());
    args.corrections_distance = static_cast<std::int64_t>(block.size() / 2 * sizeof(double));
    args.out = reinterpret_cast<std::byte*>(result);
    args.count = 1;
    args.alpha = args.beta = reinterpret_cast<const std::byte*>(&factor);
    tile_arithmetic(dtype, true).combine(args);
    values.push_back(result[0]);
    for (const std::string& set : host_kernel_names()) {
      vector_table(set).for_accumulator(dtype, true).finish(block.data(), 1, alpha, 0.0, nullptr, result);
      values.push_back(result[0]);
    }
  }
  return values;
}

TEST(CompensatedSum, IsThePlainSumOnEveryRouteWhenTheCorrectionMeansNothing) {
  for (const double correction : {kNan, kInfinity, -kInfinity}) {
    for (const double value : values_of_all_routes(3.0, correction, 2.0)) EXPECT_EQ(value, 6.0) << correction;
    for (const double value : values_of_all_routes(kInfinity, correction, 2.0)) EXPECT_EQ(value, kInfinity);
    for (const double value : values_of_all_routes(kNan, correction, 2.0)) EXPECT_TRUE(std::isnan(value));
  }
  for (const double value : values_of_all_routes(3.0, 0.25, 2.0)) EXPECT_EQ(value, 6.5);
  for (const double value : values_of_all_routes(0.0, 0.0, -1.0)) EXPECT_TRUE(value == 0.0 && std::signbit(value));
  // The sum overflows only when it is scaled.
  for (const double value : values_of_all_routes(0x1p1023, 1.0, 4.0)) EXPECT_EQ(value, kInfinity);
}

}  // namespace
}  // namespace trntensor::host
