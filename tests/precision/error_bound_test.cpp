// The error bound that a plan reports holds: random contractions of every type and precision against 300 bits.
#include "trntensor/plan/error_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/common/random_spec.hpp"
#include "tests/common/tolerance.hpp"
#include "tests/precision/random_numbers.hpp"
#include "tests/precision/wide_oracle.hpp"
#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/host/executor.hpp"
#include "trntensor/host/kernels/table.hpp"

namespace trntensor {
namespace {

using testing::WideNumber;
using C = std::complex<double>;

constexpr std::array kPrecisions{Precision::kFast, Precision::kKahan, Precision::kDoubleDouble, Precision::kStochastic};

/// Numbers of both signs between 1/2 and 2, which no format of ours underflows at.
Tensor moderate(Random& random, const Shape& shape, DType dtype) {
  const auto number = [&] { return random.uniform(0.5, 2) * (random.integer(0, 1) == 0 ? 1 : -1); };
  Tensor tensor = Tensor::empty(shape, is_complex(dtype) ? DType::kComplex128 : DType::kFloat64);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    if (is_complex(dtype)) {
      const double re = number();
      tensor.data_as<C>()[i] = {re, number()};
    } else {
      tensor.data_as<double>()[i] = number();
    }
  }
  return tensor.astype(dtype);
}

/// The moduli of the elements.
Tensor moduli(const Tensor& tensor) {
  const Tensor wide = tensor.astype(DType::kComplex128);
  Tensor result = Tensor::empty(tensor.shape(), DType::kFloat64);
  for (std::int64_t i = 0; i < tensor.size(); ++i) result.data_as<double>()[i] = std::abs(wide.data_as<C>()[i]);
  return result;
}

std::vector<std::int64_t> some_elements(std::int64_t size) {
  constexpr std::int64_t kMost = 40;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < size; i += std::max<std::int64_t>(1, size / kMost)) indices.push_back(i);
  return indices;
}

/// Contracts and compares elements with the exact ones: |error| <= bound * sum |a b|, half the smallest number of the
/// result's type for one that underflows. Results near the largest number are passed over: they may overflow.
void expect_within_bound(const std::string& subscripts, const std::vector<Tensor>& operands, EinsumOptions options) {
  const std::vector<TensorView> views(operands.begin(), operands.end());
  const Plan plan = plan_contraction(subscripts, views, options);
  EinsumOptions sizes{.alpha = std::abs(options.alpha), .beta = std::abs(options.beta)};
  EinsumOptions before = options;  // what was in out
  if (options.out) {
    sizes.out = moduli(*options.out);
    before.out = options.out->clone();
  }
  const std::vector<std::int64_t> indices = some_elements(
      plan.spec().output_shape().size() == 0 ? 1 : Tensor::empty(plan.spec().output_shape(), DType::kBool).size());
  std::vector<Tensor> magnitudes;
  for (const Tensor& operand : operands) magnitudes.push_back(moduli(operand));
  const auto exact = testing::wide_elements(subscripts, operands, before, indices);
  const auto size = testing::wide_elements(subscripts, magnitudes, sizes, indices);
  const Tensor result = einsum(subscripts, views, options);
  const DType dtype = result.dtype();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (size[i].re.value.to_double() > testing::largest(dtype) / 4) continue;
    const C got = testing::element_of(result, indices[i]);
    const double re = (WideNumber(got.real()) - exact[i].re.value).to_double();
    const double im = (WideNumber(got.imag()) - exact[i].im.value).to_double();
    const double bound = plan.error_bound() * size[i].re.value.to_double() * (1 + 0x1p-40);
    EXPECT_LE(std::hypot(re, im), bound + testing::smallest(dtype) * (1 + 0x1p-40))
        << subscripts << " element " << indices[i] << " in " << to_string(plan.precision()) << ", sums in "
        << to_string(plan.contents().accumulator_dtype) << ", result " << to_string(dtype);
  }
}

class EachPrecision : public ::testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(ErrorBound, EachPrecision, ::testing::ValuesIn(kPrecisions),
                         [](const auto& precision) { return std::string(to_string(precision.param)); });

TEST_P(EachPrecision, HoldsForRandomContractionsOfEveryType) {
  constexpr std::array kTypes{DType::kFloat8E4M3, DType::kFloat8E4M3FN, DType::kFloat8E5M2,
                              DType::kFloat16,    DType::kBFloat16,     DType::kFloat32,
                              DType::kFloat64,    DType::kComplex64,    DType::kComplex128};
  testing::RandomSpecOptions shapes;
  shapes.max_operands = 4;
  shapes.max_points = 3000;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const testing::RandomSpec spec = testing::random_spec(seed, shapes);
    SCOPED_TRACE(spec.describe());
    Random random(seed);
    const auto some_type = [&] { return kTypes[static_cast<std::size_t>(random.integer(0, kTypes.size() - 1))]; };
    std::vector<Tensor> operands;
    for (const Shape& shape : spec.shapes) operands.push_back(moderate(random, shape, some_type()));
    EinsumOptions options{.precision = GetParam(), .seed = seed};
    std::vector<DType> dtypes;
    for (const Tensor& operand : operands) dtypes.push_back(operand.dtype());
    const DType dtype = some_type();
    if (random.integer(0, 1) == 0 &&
        std::ranges::all_of(dtypes, [&](DType from) { return can_cast_same_kind(from, dtype); })) {
      options.dtype = dtype;
    }
    if (random.integer(0, 1) == 0) options.alpha = random.uniform(-2, 2);
    const DType compute = options.dtype.value_or(promote(dtypes));
    const DType out = some_type();
    if (random.integer(0, 1) == 0 && can_cast_same_kind(compute, out)) {
      options.out = moderate(random, spec.parse().output_shape(), out);
      if (promote(compute, out) == compute && random.integer(0, 1) == 0) options.beta = random.uniform(-2, 2);
    }
    expect_within_bound(spec.subscripts, operands, options);
  }
}

TEST_P(EachPrecision, HoldsForLongSumsThatCancel) {
  for (const DType dtype : {DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    Random random(2);
    // The second half is the first one negated, nearly: condition numbers of millions.
    const Tensor half = moderate(random, {2, 2000}, dtype);
    const Tensor other = moderate(random, {2000, 2}, dtype);
    const Tensor a = Tensor::empty({2, 4000}, dtype);
    const Tensor b = Tensor::empty({4000, 2}, dtype);
    for (const int part : {0, 1}) {
      einsum("ij->ij", {half}, {.alpha = part == 0 ? 1.0 : -1.0, .out = a.slice(1, 2000 * part, 2000 * (part + 1))});
      einsum("ij->ij", {other}, {.out = b.slice(0, 2000 * part, 2000 * (part + 1))});
    }
    einsum("->", {Tensor::full({}, 1e-3, DType::kFloat32)}, {.out = a.select(0, 1).select(0, 7)});
    for (const char* subscripts : {"ij,jk->ik", "ij,ji->i", "ij,jk->"}) {
      expect_within_bound(subscripts, {a, b}, {.precision = GetParam()});
    }
    expect_within_bound("ij->i", {a}, {.precision = GetParam()});
  }
}

TEST_P(EachPrecision, HoldsForNumbersOfWideRange) {
  Random random(3);
  for (const DType dtype : {DType::kFloat64, DType::kComplex128}) {
    const Tensor a = testing::spread_tensor(random, {7, 300}, dtype, 60);
    const Tensor b = testing::spread_tensor(random, {300, 9}, dtype, 60);
    const Tensor c = testing::spread_tensor(random, {9, 5}, dtype, 60);
    expect_within_bound("ij,jk->ik", {a, b}, {.precision = GetParam()});
    expect_within_bound("ij,jk,kl->il", {a, b, c}, {.precision = GetParam()});
  }
}

// The worst case of a sum: the first term swallows every one that is added to it, each rounding going the same way.
TEST(ErrorBound, HoldsBehindATermThatSwallowsTheOthers) {
  constexpr std::int64_t kTerms = 10'007;
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    const double large = 2 / (2 * plan::unit_roundoff(dtype));
    const Tensor a = Tensor::full({2, kTerms}, 1, dtype);
    const Tensor b = Tensor::full({kTerms, 2}, 1, dtype);
    einsum("->", {Tensor::full({}, large, DType::kFloat64)}, {.out = a.select(1, 0).select(0, 0), .dtype = dtype});
    for (const char* route : {"gemm", "nest"}) {
      const host::HostExecutor executor({.route = route});
      for (const int threads : {1, 3}) {
        expect_within_bound("ij,jk->ik", {a, b}, {.num_threads = threads, .executor = &executor});
      }
    }
  }
}

// Sums of bfloat16 that cancel, by every kernel: products added one by one, or in pairs. An odd number of terms.
TEST(ErrorBound, HoldsForSumsOfBfloat16ByEveryKernel) {
  constexpr std::int64_t kHalf = 350;
  Random random(5);
  const Tensor half = moderate(random, {5, kHalf}, DType::kBFloat16);
  const Tensor a = moderate(random, {5, 2 * kHalf + 1}, DType::kBFloat16);
  const Tensor b = moderate(random, {2 * kHalf + 1, 7}, DType::kBFloat16);
  for (const int part : {0, 1}) {
    const double sign = part == 0 ? 1.0 : -1.0;
    const std::int64_t first = part * kHalf;
    einsum("ij->ij", {half}, {.alpha = sign, .out = a.slice(1, first, first + kHalf)});
    einsum("ij->ij", {b.slice(0, 0, kHalf)}, {.out = b.slice(0, kHalf, 2 * kHalf)});
  }
  for (const std::string& kernel : host_kernel_names()) {
    SCOPED_TRACE(kernel);
    const host::HostExecutor executor({.route = "gemm", .kernel = kernel});
    expect_within_bound("ij,jk->ik", {a, b}, {.executor = &executor});
    expect_within_bound("ij,jk->ik", {a, b}, {.alpha = 0.5, .dtype = DType::kFloat32, .executor = &executor});
    const Tensor out = moderate(random, {5, 7}, DType::kFloat32);
    expect_within_bound("ij,jk->ik", {a, b}, {.beta = -1.5, .out = out, .executor = &executor});
  }
}

TEST(ErrorTarget, IsKept) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const std::vector<Tensor> operands{moderate(random, {3, 200}, DType::kFloat64),
                                       moderate(random, {200, 10}, DType::kFloat32),
                                       moderate(random, {10, 2}, DType::kFloat64)};
    EinsumOptions options{.dtype = seed % 2 == 0 ? DType::kFloat64 : DType::kFloat32};
    options.target_forward_error = std::exp2(random.uniform(seed % 2 == 0 ? -51 : -20, -8));
    const std::vector<TensorView> views(operands.begin(), operands.end());
    const Plan plan = plan_contraction("ij,jk,kl->il", views, options);
    EXPECT_LE(plan.error_bound(), *options.target_forward_error);
    expect_within_bound("ij,jk,kl->il", operands, options);
  }
}

// Products of subnormal elements with large ones are normal numbers. The CPU's dot product would lose them.
TEST(ErrorTarget, IsKeptForSubnormalBfloat16ByEveryKernel) {
  Random random(6);
  const auto numbers = [&](const Shape& shape, double scale) {
    return einsum("ij->ij", {moderate(random, shape, DType::kFloat64)}, {.alpha = scale}).astype(DType::kBFloat16);
  };
  const Tensor a = numbers({20, 41}, 0x1p-129);
  const Tensor b = numbers({41, 60}, 0x1p100);
  for (const std::string& kernel : host_kernel_names()) {
    SCOPED_TRACE(kernel);
    const host::HostExecutor executor({.route = "gemm", .kernel = kernel});
    for (const DType dtype : {DType::kFloat32, DType::kBFloat16}) {
      expect_within_bound("ij,jk->ik", {a, b}, {.dtype = dtype, .target_forward_error = 0.01, .executor = &executor});
    }
    if (kernel != "avx512_bf16") continue;
    const std::vector<double> lost = einsum("ij,jk->ik", {a, b}, {.executor = &executor}).to_vector<double>();
    EXPECT_TRUE(std::ranges::all_of(lost, [](double value) { return value == 0; })) << "there was nothing to keep";
  }
}

TEST(ErrorTarget, IsChosenAnewForEveryTargetOfARepeatedCall) {
  Random random(1);
  const Tensor a = moderate(random, {5, 400}, DType::kFloat32);
  const Tensor b = moderate(random, {400, 5}, DType::kFloat32);
  const auto contract = [&](const EinsumOptions& options) {
    return einsum("ij,jk->ik", {a, b}, options).to_vector<double>();
  };
  const std::vector<double> kahan = contract({.precision = Precision::kKahan});
  const std::vector<double> fast = contract({});
  ASSERT_NE(fast, kahan);
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_EQ(contract({.target_forward_error = 1e-3}), fast);
    EXPECT_EQ(contract({.target_forward_error = 1e-7}), kahan);
  }
  const PrecisionChoice choice = select_precision_for_error("ij,jk->ik", {a, b}, 1e-7);
  EXPECT_EQ(choice.precision, Precision::kKahan);
  EXPECT_LE(choice.error_bound, 1e-7);
  EXPECT_EQ(Contraction("ij,jk->ik", {a, b}, {.target_forward_error = 1e-7})({a, b}).to_vector<double>(), kahan);
}

}  // namespace
}  // namespace trntensor
