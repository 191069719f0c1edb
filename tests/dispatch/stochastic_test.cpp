// Precision sr: what einsum promises of it, for every type, route, kernel, layout and number of threads.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "tests/common/random_tensor.hpp"
#include "tests/common/tolerance.hpp"
#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/host/executor.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor {
namespace {

using testing::range;
using C = std::complex<double>;

const EinsumOptions kSr{.precision = Precision::kStochastic};

/// Multiples of 2^-digits up to 1: with 20 their products, and sums of thousands of them, are exact in float64.
Tensor dyadic(Random& random, const Shape& shape, DType dtype = DType::kFloat32, int digits = 20) {
  Tensor tensor = Tensor::empty(shape, is_complex(dtype) ? DType::kComplex128 : DType::kFloat64);
  const std::int64_t numbers = tensor.size() * (is_complex(dtype) ? 2 : 1);
  auto* const data = reinterpret_cast<double*>(tensor.data());
  for (std::int64_t i = 0; i < numbers; ++i) {
    data[i] = std::ldexp(static_cast<double>(random.integer(-(1 << digits), 1 << digits)), -digits);
  }
  return tensor.astype(dtype);
}

bool same_bits(const Tensor& a, const Tensor& b) {
  const Tensor x = a.clone();
  const Tensor y = b.clone();
  return x.dtype() == y.dtype() && x.shape() == y.shape() &&
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * size_of(x.dtype())) == 0;
}

/// Real and imaginary parts in order.
std::vector<double> parts(const Tensor& tensor) {
  if (!is_complex(tensor.dtype())) return tensor.to_vector<double>();
  std::vector<double> result;
  for (const C& number : tensor.to_vector<C>()) {
    result.push_back(number.real());
    result.push_back(number.imag());
  }
  return result;
}

/// The step of the type at a number.
double place(DType dtype, double value) {
  return std::max(std::ldexp(testing::epsilon(dtype), std::ilogb(value)), testing::smallest(dtype));
}

/// Every part lies within less than a place of the exact one, on it if the type has that; and over all parts the
/// errors, in places, have the mean 0 within four standard errors.
void expect_unbiased_neighbours(const Tensor& got, const Tensor& exact) {
  const std::vector<double> rounded = parts(got);
  const std::vector<double> values = parts(exact);
  double sum = 0;
  double variance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    const double unit = place(got.dtype(), values[i]);
    const double error = (rounded[i] - values[i]) / unit;
    const double fraction = std::abs(values[i]) / unit - std::floor(std::abs(values[i]) / unit);
    ASSERT_LT(std::abs(error), 1) << i;
    ASSERT_TRUE(std::abs(std::abs(error) - fraction) < 1e-12 || std::abs(std::abs(error) - (1 - fraction)) < 1e-12)
        << i << ": " << rounded[i] << " is no neighbour of " << values[i];
    sum += error;
    variance += fraction * (1 - fraction);
  }
  ASSERT_GT(variance, 100);
  EXPECT_LT(std::abs(sum), 4 * std::sqrt(variance));
}

struct Types {
  DType operands;
  DType out;
};

class EachType : public ::testing::TestWithParam<Types> {};
INSTANTIATE_TEST_SUITE_P(
    Stochastic, EachType,
    ::testing::Values(Types{DType::kFloat32, DType::kFloat32}, Types{DType::kFloat32, DType::kFloat16},
                      Types{DType::kFloat32, DType::kBFloat16}, Types{DType::kFloat32, DType::kFloat8E5M2},
                      Types{DType::kComplex64, DType::kComplex64}, Types{DType::kFloat64, DType::kFloat32},
                      Types{DType::kComplex128, DType::kComplex64}),
    [](const auto& types) {
      return std::string(to_string(types.param.operands)) + "_to_" + std::string(to_string(types.param.out));
    });

TEST_P(EachType, MatrixProductsAreUnbiasedNeighbours) {
  Random random(1);
  const Tensor a = dyadic(random, {130, 70}, GetParam().operands);
  const Tensor b = dyadic(random, {70, 90}, GetParam().operands);
  EinsumOptions options = kSr;
  options.out = Tensor::empty({130, 90}, GetParam().out);
  const DType wide = is_complex(GetParam().out) ? DType::kComplex128 : DType::kFloat64;
  expect_unbiased_neighbours(einsum("ij,jk->ik", {a, b}, options), einsum("ij,jk->ik", {a, b}, {.dtype = wide}));
}

TEST_P(EachType, SumsOfOneOperandAreUnbiasedNeighbours) {
  Random random(2);
  const Tensor a = dyadic(random, {90, 5, 110}, GetParam().operands);
  EinsumOptions options = kSr;
  options.alpha = 1 + 0x1p-20;  // more digits than float32 has
  options.out = Tensor::empty({110, 90}, GetParam().out);
  const DType wide = is_complex(GetParam().out) ? DType::kComplex128 : DType::kFloat64;
  expect_unbiased_neighbours(einsum("ijk->ki", {a}, options),
                             einsum("ijk->ki", {a}, {.alpha = options.alpha, .dtype = wide}));
}

TEST(Stochastic, Float64IsRoundedFromTwiceTheDigits) {
  Random random(3);
  const Tensor a =
      testing::random_tensor(random, {12000}, DType::kFloat64, {.strides = testing::StrideKind::kContiguous});
  const Tensor b =
      testing::random_tensor(random, {12000}, DType::kFloat64, {.strides = testing::StrideKind::kContiguous});
  const Tensor got = einsum("i,i->i", {a, b}, kSr);
  double sum = 0;
  double variance = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const double x = a.data_as<double>()[i];
    const double y = b.data_as<double>()[i];
    const double product = x * y;
    const double unit = place(DType::kFloat64, product);
    const double rest = std::fma(x, y, -product) / unit;  // between -1/2 and 1/2
    const double moved = (got.data_as<double>()[i] - product) / unit;
    // Half a place below a power of two.
    ASSERT_TRUE(moved == 0 || moved == (rest < 0 ? -1 : 1) || moved == -0.5) << i << ": " << moved;
    const double error = moved - rest;
    const double fraction = std::abs(rest);
    sum += error;
    variance += fraction * (1 - fraction);
  }
  EXPECT_LT(std::abs(sum), 4 * std::sqrt(variance));
}

TEST(Stochastic, TheMeanOverTenThousandSeedsIsTheSum) {
  Random random(4);
  const Tensor a = dyadic(random, {3, 9});
  const Tensor b = dyadic(random, {9, 4});
  const std::vector<double> exact = einsum("ij,jk->ik", {a, b}, {.dtype = DType::kFloat64}).to_vector<double>();
  std::vector<double> sums(exact.size());
  constexpr int kDraws = 10000;
  EinsumOptions options = kSr;
  for (options.seed = 0; options.seed < kDraws; ++options.seed) {
    const std::vector<double> got = einsum("ij,jk->ik", {a, b}, options).to_vector<double>();
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += got[i] - exact[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double unit = place(DType::kFloat32, exact[i]);
    const double fraction = std::abs(exact[i]) / unit - std::floor(std::abs(exact[i]) / unit);
    EXPECT_LE(std::abs(sums[i]), 4 * unit * std::sqrt(kDraws * fraction * (1 - fraction))) << i;
  }
}

TEST(Stochastic, SeedsDecide) {
  Random random(5);
  const Tensor a = dyadic(random, {40, 30});
  const Tensor b = dyadic(random, {30, 40});
  EinsumOptions options = kSr;
  const Tensor first = einsum("ij,jk->ik", {a, b}, options);
  EXPECT_TRUE(same_bits(einsum("ij,jk->ik", {a, b}, options), first));
  options.seed = 1;
  EXPECT_FALSE(same_bits(einsum("ij,jk->ik", {a, b}, options), first));
  const Contraction prepared("ij,jk->ik", {a, b}, options);
  EXPECT_TRUE(same_bits(prepared({a, b}), einsum("ij,jk->ik", {a, b}, options)));
  EXPECT_TRUE(same_bits(prepared.with_seed(0)({a, b}), first));
}

TEST(Stochastic, ExactValuesAreUntouched) {
  const Tensor a = range<float>({20, 30}, -300);
  const Tensor b = range<float>({30, 25}, -100);
  const Tensor exact = einsum("ij,jk->ik", {a, b}, {.dtype = DType::kFloat64});
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Tensor got =
          einsum("ij,jk->ik", {a, b}, {.dtype = dtype, .precision = Precision::kStochastic, .seed = seed});
      EXPECT_EQ(got.to_vector<double>(), exact.to_vector<double>());
    }
  }
}

TEST(Stochastic, WholeNumbersAreAsInFast) {
  const Tensor a = range<std::int32_t>({20, 30}, 1 << 28);
  EXPECT_TRUE(same_bits(einsum("ij,kj->ik", {a, a}, kSr), einsum("ij,kj->ik", {a, a})));
  const Tensor flags = Tensor::full({4, 4}, 1.0, DType::kBool);
  EXPECT_TRUE(same_bits(einsum("ij,jk->ik", {flags, flags}, kSr), einsum("ij,jk->ik", {flags, flags})));
}

TEST(Stochastic, ThreadsDoNotMatter) {
  Random random(6);
  const auto contract = [&](const char* subscripts, const Tensor& a, const Tensor& b, int threads) {
    return einsum(subscripts, {a, b}, {.precision = Precision::kStochastic, .num_threads = threads});
  };
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kComplex64}) {
    const testing::RandomTensorOptions packed{.strides = testing::StrideKind::kContiguous};
    const Tensor a = testing::random_tensor(random, {8, 200000}, dtype, packed);
    const Tensor b = testing::random_tensor(random, {9, 200000}, dtype, packed);
    EXPECT_TRUE(same_bits(contract("ij,kj->ik", a, b, 1), contract("ij,kj->ik", a, b, 2)));
    const Tensor c = testing::random_tensor(random, {300, 200}, dtype, packed);
    const Tensor d = testing::random_tensor(random, {200, 400}, dtype, packed);
    EXPECT_TRUE(same_bits(contract("ij,jk->ik", c, d, 1), contract("ij,jk->ik", c, d, 2)));
  }
}

void expect_same_by_every_route_and_kernel(const Tensor& a, const Tensor& b) {
  const Tensor first = einsum("ij,jk->ik", {a, b}, kSr);
  for (const char* route : {"gemm", "nest"}) {
    for (const std::string& kernel : host_kernel_names()) {
      const host::HostExecutor executor({.route = route, .kernel = kernel});
      EinsumOptions options = kSr;
      options.executor = &executor;
      EXPECT_TRUE(same_bits(einsum("ij,jk->ik", {a, b}, options), first)) << route << ' ' << kernel;
    }
  }
}

TEST(Stochastic, RoutesAndKernelsDoNotMatterToExactSums) {
  Random random(7);
  for (const DType dtype : {DType::kFloat32, DType::kComplex64}) {
    const Tensor a = dyadic(random, {33, 47}, dtype);
    expect_same_by_every_route_and_kernel(a, dyadic(random, {47, 29}, dtype));
  }
}

TEST(Stochastic, RoutesAndKernelsDoNotMatterToDoubles) {
  Random random(8);
  const testing::RandomTensorOptions packed{.strides = testing::StrideKind::kContiguous};
  for (const DType dtype : {DType::kFloat64, DType::kComplex128}) {
    const Tensor a = testing::random_tensor(random, {33, 47}, dtype, packed);
    expect_same_by_every_route_and_kernel(a, testing::random_tensor(random, {47, 29}, dtype, packed));
  }
}

TEST(Stochastic, TheLayoutOfOutDoesNotMatter) {
  Random random(9);
  const Tensor a = testing::random_tensor(random, {700, 20}, DType::kFloat32);
  const Tensor b = testing::random_tensor(random, {20, 900}, DType::kFloat32);
  EinsumOptions options = kSr;
  const Tensor first = einsum("ij,jk->ik", {a, b}, options);
  options.out = Tensor::empty({900, 700}, DType::kFloat32).permute({1, 0});
  EXPECT_TRUE(same_bits(einsum("ij,jk->ik", {a, b}, options), first));
  for (int round = 0; round < 4; ++round) {
    options.out = testing::random_tensor(random, {700, 900}, DType::kFloat32, {.writable = true});
    EXPECT_TRUE(same_bits(einsum("ij,jk->ik", {a, b}, options), first));
  }
}

TEST(Stochastic, BlocksOfTheResultMeetWithoutASeam) {
  // 1031 x 1033 float64 sums are more than the workspace; blocks overlap, and beta * out is added once.
  Random random(10);
  const Tensor a = dyadic(random, {1031, 3});
  const Tensor b = dyadic(random, {3, 1033});
  const Tensor old = dyadic(random, {1031, 1033});
  EinsumOptions options{.alpha = 0.75, .beta = -0.5, .precision = Precision::kStochastic};
  options.out = old.clone();
  Tensor wide = old.astype(DType::kFloat64).clone();
  const EinsumOptions exact{.alpha = 0.75, .beta = -0.5, .out = wide, .dtype = DType::kFloat64};
  expect_unbiased_neighbours(einsum("ij,jk->ik", {a, b}, options), einsum("ij,jk->ik", {a, b}, exact));
}

TEST(Stochastic, OnlyTheLastRoundingOfAPathIsStochastic) {
  Random random(11);
  const Tensor a = dyadic(random, {60, 4}, DType::kFloat32, 15);
  const Tensor b = dyadic(random, {4, 5}, DType::kFloat32, 15);
  const Tensor c = dyadic(random, {5, 70}, DType::kFloat32, 15);
  // Sums of products of three have 50 bits: exact in float64, which intermediates are held in.
  const Tensor exact = einsum("ij,jk,kl->il", {a, b, c}, {.dtype = DType::kFloat64});
  expect_unbiased_neighbours(einsum("ij,jk,kl->il", {a, b, c}, kSr), exact);
}

TEST(Stochastic, SpecialNumbersAndEmptySums) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16}) {
    Tensor a = Tensor::full({3}, 1.0, DType::kFloat64);
    a.data_as<double>()[1] = kInf;
    a.data_as<double>()[2] = std::nan("");
    const std::vector<double> got =
        einsum("i->i", {a.astype(dtype)}, {.alpha = -2.0, .precision = Precision::kStochastic}).to_vector<double>();
    EXPECT_EQ(got[0], -2);
    EXPECT_EQ(got[1], -kInf);
    EXPECT_TRUE(std::isnan(got[2]));
    const Tensor none = Tensor::empty({2, 0}, dtype);
    EXPECT_EQ(einsum("ij->i", {none}, kSr).to_vector<double>(), (std::vector<double>{0, 0}));
    EXPECT_EQ(einsum("ij->j", {none}, kSr).size(), 0);
  }
}

TEST(Stochastic, WithAlphaZeroOutIsScaledAndRounded) {
  Tensor out = Tensor::full({1000}, 1.0, DType::kFloat32);
  const EinsumOptions options{.alpha = 0.0, .beta = 1 + 0x1p-24, .out = out, .precision = Precision::kStochastic};
  int ups = 0;
  for (const double value :
       einsum("i->i", {Tensor::full({1000}, std::nan(""), DType::kFloat32)}, options).to_vector<double>()) {
    ASSERT_TRUE(value == 1 || value == 1 + 0x1p-23);
    ups += value > 1 ? 1 : 0;
  }
  EXPECT_NEAR(ups, 500, 4 * std::sqrt(250));
}

}  // namespace
}  // namespace trntensor
