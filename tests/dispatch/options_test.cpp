// alpha, beta, out, dtype, precision, and prepared contractions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

using testing::expect_values;
using testing::ones;
using testing::range;

TEST(EinsumOut, AnyLayoutIsWrittenInPlace) {
  const Tensor a = range({2, 3});
  const Tensor b = range({3, 4});
  const std::vector<double> expected = einsum("ij,jk->ik", {a, b}).to_vector<double>();
  const Tensor buffer = Tensor::full({8, 6}, -1.0, DType::kFloat64);
  const std::vector<Tensor> outs{buffer.slice(0, 0, 2).slice(1, 0, 4),
                                 buffer.slice(0, 0, 8, 2).slice(1, 0, 2).permute({1, 0}),
                                 buffer.slice(0, 0, 2).slice(1, 0, 4).reverse(0).reverse(1)};
  for (const Tensor& out : outs) {
    const Tensor result = einsum("ij,jk->ik", {a, b}, {.out = out});
    EXPECT_EQ(result.data(), out.data());
    EXPECT_EQ(out.to_vector<double>(), expected);
  }
}

TEST(EinsumOut, UnalignedMemoryWorks) {
  std::vector<std::byte> raw(1 + 6 * sizeof(double));
  const Tensor odd = Tensor::borrow(MutableTensorView(raw.data() + 1, DType::kFloat64, {2, 3}));
  einsum("ij->ij", {range({2, 3})}, {.out = odd});
  expect_values(odd, {2, 3}, {0, 1, 2, 3, 4, 5});
  expect_values(einsum("ij,kj->ik", {odd, odd}), {2, 2}, {5, 14, 14, 50});
}

TEST(EinsumOut, BetaReadsOutInEveryKindOfType) {
  for (const DType dtype : {DType::kInt8, DType::kUInt64, DType::kBFloat16, DType::kFloat16, DType::kFloat32,
                            DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    const Tensor a = ones({2, 3}).astype(dtype);
    const Tensor out = Tensor::full({2}, 5.0, dtype);
    einsum("ij->i", {a}, {.alpha = 2.0, .beta = 3.0, .out = out});
    EXPECT_EQ(out.to_vector<double>(), (std::vector<double>{21, 21})) << to_string(dtype);
  }
}

TEST(EinsumOut, ComplexScale) {
  using C = std::complex<double>;
  const Tensor a = Tensor::from_values<C>({1}, {C{1, 1}});
  const Tensor out = Tensor::from_values<C>({1}, {C{0, 2}});
  einsum("i->i", {a}, {.alpha = C{0, 1}, .beta = C{2, 1}, .out = out});
  EXPECT_EQ(out.item<C>(), (C{-1 - 2, 1 + 4}));
}

TEST(EinsumDtype, OperandsAreConvertedAndTheResultStaysInTheType) {
  const Tensor a = range<std::int32_t>({3});
  const Tensor result = einsum("i,i->", {a, a}, {.dtype = DType::kFloat32});
  EXPECT_EQ(result.dtype(), DType::kFloat32);
  EXPECT_EQ(result.item<float>(), 5.0F);
  // 1 + 2^-9 is not a bfloat16: operands are rounded to the type before they are multiplied.
  const Tensor x = Tensor::from_values<double>({1}, {1.0 + 0x1p-9});
  const Tensor big = Tensor::from_values<double>({1}, {512.0});
  EXPECT_EQ(einsum("i,i->", {x, big}, {.dtype = DType::kBFloat16}).item<float>(), 512.0F);
  EXPECT_EQ(einsum("i,i->", {x, big}, {.dtype = DType::kFloat32}).item<float>(), 513.0F);
}

TEST(EinsumDtype, MixedTypesPromoteWhateverTheirOrder) {
  // numpy.result_type of the same types, in every order.
  const auto result = [](DType x, DType y, DType z) {
    const auto one = [](DType dtype) { return Tensor::full({1}, 1.0, dtype); };
    return einsum("i,i,i->i", {one(x), one(y), one(z)}).dtype();
  };
  const DType i16 = DType::kInt16;
  const DType u16 = DType::kUInt16;
  for (const auto& [third, promoted] :
       {std::pair{DType::kComplex64, DType::kComplex64}, std::pair{DType::kFloat16, DType::kFloat32}}) {
    for (const DType dtype : {result(i16, u16, third), result(third, i16, u16), result(u16, third, i16)}) {
      EXPECT_EQ(to_string(dtype), to_string(promoted));
    }
  }
}

TEST(EinsumValues, EmptyViewsOfAnyStridesMove) {
  for (const DType dtype : {DType::kBool, DType::kInt32, DType::kFloat64, DType::kComplex128}) {
    const Tensor empty = Tensor::zeros({9, 0}, dtype).permute({1, 0});
    EXPECT_EQ(format_shape(einsum("de->ed", {empty}).shape()), "(9, 0)");
    EXPECT_EQ(format_shape(einsum("de->de", {empty.reverse(1)}).shape()), "(0, 9)");
  }
}

TEST(EinsumDtype, IntegersWrapInTheirOwnWidth) {
  const Tensor a = Tensor::from_values<std::int8_t>({2}, {100, 100});
  EXPECT_EQ(einsum("i->", {a}).item<int>(), -56);
  EXPECT_EQ(einsum("i,i->", {a, a}).item<int>(), static_cast<std::int8_t>(20000));
  const Tensor u = Tensor::from_values<std::uint8_t>({2}, {200, 100});
  EXPECT_EQ(einsum("i->", {u}).item<int>(), 44);
  EXPECT_EQ(einsum("i->", {a}, {.dtype = DType::kInt64}).item<int>(), 200);
}

TEST(EinsumDtype, NarrowFloatsAreSummedInSinglePrecision) {
  const Tensor a = ones({2, 4096}).astype(DType::kFloat16);
  expect_values(einsum("ij,kj->ik", {a, a}), {2, 2}, {4096, 4096, 4096, 4096});
  expect_values(einsum("ji->i", {ones({4096, 2}).astype(DType::kFloat16)}), {2}, {4096, 4096});
  const Tensor b = ones({300}).astype(DType::kBFloat16);
  EXPECT_EQ(einsum("i,i,i->", {b, b, b}).item<float>(), 300.0F);
}

TEST(EinsumPrecision, LongSinglePrecisionSumsStayAccurate) {
  constexpr std::int64_t n = 1'000'000;
  const Tensor a = Tensor::full({n, 3}, 0.1, DType::kFloat32);
  const double exact = static_cast<double>(n) * static_cast<double>(0.1F);
  // The bound NestEngine documents for the narrowest vectors: (256 s / v + 36 + log2(n) / 2) eps of the sum of moduli.
  const auto terms = [](double element_bytes) {
    return 256 * element_bytes / 16 + 36 + std::log2(static_cast<double>(n)) / 2;
  };
  for (const double value : einsum("ij->j", {a}).to_vector<double>()) {
    EXPECT_NEAR(value, exact, terms(4) * 0x1p-23 * exact);
  }
  // The same in float64, then rounded to float32.
  for (const double value : einsum("ij->j", {a}, {.precision = Precision::kKahan}).to_vector<double>()) {
    EXPECT_NEAR(value, exact, (0x1p-24 + 2 * terms(8) * 0x1p-52) * exact);
  }
}

TEST(EinsumPrecision, KahanDoublesTheDigitsOfFloat64) {
  // 1e16 + 1 - 1e16, n times: plain float64 sums lose every 1.
  constexpr std::int64_t n = 999;
  Tensor a = Tensor::empty({n}, DType::kFloat64);
  for (std::int64_t i = 0; i < n; ++i) a.data_as<double>()[i] = i % 3 == 0 ? 1e16 : i % 3 == 1 ? 1.0 : -1e16;
  const Tensor one = ones({n});
  const EinsumOptions kahan{.precision = Precision::kKahan};
  EXPECT_EQ(einsum("i->", {a}, kahan).item<double>(), n / 3);
  EXPECT_EQ(einsum("i,i->", {a, one}, kahan).item<double>(), n / 3);
  const Tensor rows = a.insert_axis(0).broadcast_to({17, n});
  const Tensor columns = ones({n, 19});
  expect_values(einsum("ij,jk->ik", {rows, columns}, kahan), {17, 19}, std::vector<double>(17 * 19, n / 3));
}

TEST(EinsumPrecision, KahanDoublesTheDigitsOfBothPartsOfComplex128) {
  // (a + 2ai) (1 + i) = -a + 3ai, where sums of a keep their 1 in twice the digits only.
  using C = std::complex<double>;
  constexpr std::int64_t n = 999;
  Tensor z = Tensor::empty({n}, DType::kComplex128);
  for (std::int64_t i = 0; i < n; ++i) {
    const double a = i % 3 == 0 ? 1e16 : i % 3 == 1 ? 1.0 : -1e16;
    z.data_as<C>()[i] = {a, 2 * a};
  }
  const Tensor factor = Tensor::full({n, 5}, C{1, 1}, DType::kComplex128);
  const EinsumOptions kahan{.precision = Precision::kKahan};
  const C product{-n / 3, n};
  EXPECT_EQ(einsum("i->", {z}, kahan).item<C>(), (C{n / 3, 2 * n / 3}));
  EXPECT_EQ(einsum("i,i->", {z, factor.select(1, 0)}, kahan).item<C>(), product);
  const Tensor rows = z.insert_axis(0).broadcast_to({7, n});
  EXPECT_EQ(einsum("ij,jk->ik", {rows, factor}, kahan).to_vector<C>(), std::vector<C>(7 * 5, product));
}

TEST(EinsumPrecision, KahanSumsLoneLabelsFirstWithoutLosingDigits) {
  // 2^27 + 0.1 - 2^27 over and over: the rounded sums are off by 1e-7, their square is exact only if both are kept
  // whole.
  constexpr std::int64_t n = 999;
  Tensor a = Tensor::empty({2, n}, DType::kFloat64);
  for (std::int64_t i = 0; i < 2 * n; ++i) a.data_as<double>()[i] = i % 3 == 0 ? 0x1p27 : i % 3 == 1 ? 0.1 : -0x1p27;
  const EinsumOptions kahan{.precision = Precision::kKahan};
  // 0.1 is not exact: 333 * fl(0.1) in twice the digits, squared, rounded once.
  const long double sum = 333.0L * static_cast<long double>(0.1);
  const auto square = static_cast<double>(sum * sum);
  for (const double value : einsum("ik,jl->ij", {a, a}, kahan).to_vector<double>()) EXPECT_EQ(value, square);
  for (const double value : einsum("ik,il->i", {a, a}, kahan).to_vector<double>()) EXPECT_EQ(value, square);
  EXPECT_EQ(einsum("k,l->", {a.select(0, 0), a.select(0, 1)}, kahan).item<double>(), square);
  const Plan plan = plan_contraction("ik,jl->ij", {a, a}, kahan);
  EXPECT_EQ(plan.contents().macs, 4);
  EXPECT_EQ(plan.contents().peak_bytes, 4 * 8 + 2 * (2 * 2 * 8));
  const Tensor wide = ones({1, 1}).broadcast_to({1000, 1000});
  EXPECT_EQ(einsum("ik,jl->", {wide, wide}, kahan).item<double>(), 1e12);  // 1e12 terms if nothing were summed first
}

TEST(EinsumPrecision, LoneLabelSumsOfViewsThatRepeatAnElementAreNotCopiedOut) {
  constexpr std::int64_t kWide = std::int64_t{1} << 20;
  const Tensor a = ones({1, 4}).broadcast_to({kWide, 4});
  const Tensor b = range({1, 3}).broadcast_to({kWide, 3});
  expect_values(einsum("ik,il->", {a, b}), {}, {4.0 * 3.0 * static_cast<double>(kWide)});
}

TEST(EinsumPrecision, ProductsOfSinglesAreExactInKahan) {
  // (1 + 2^-23)^2 - 1 - 2^-22 = 2^-46 is lost unless products are held in float64.
  const float x = 1.0F + 0x1p-23F;
  const Tensor a = Tensor::from_values<float>({3}, {x, 1.0F, 0x1p-11F});
  const Tensor b = Tensor::from_values<float>({3}, {x, -1.0F, -0x1p-11F});
  EXPECT_EQ(einsum("i,i->", {a, b}, {.precision = Precision::kKahan}).item<double>(), 0x1p-46);
}

TEST(EinsumValues, NanAndInfinityFollowIeee) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor a = Tensor::from_values<double>({2, 2}, {nan, 1, infinity, 0});
  const Tensor b = Tensor::from_values<double>({2, 2}, {0, 1, 1, 0});
  const std::vector<double> c = einsum("ij,jk->ik", {a, b}).to_vector<double>();
  EXPECT_TRUE(std::isnan(c[0]) && std::isnan(c[1]) && std::isnan(c[2]));
  EXPECT_EQ(c[3], infinity);
  // A diagonal does not look at what lies off it.
  expect_values(einsum("ii->i", {Tensor::from_values<double>({2, 2}, {1, nan, infinity, 2})}), {2}, {1, 2});
}

TEST(EinsumValues, ASumOverNothingIsZeroWhateverElseIsThere) {
  const Tensor nan = Tensor::full({2}, std::numeric_limits<double>::quiet_NaN(), DType::kFloat64);
  const Tensor nothing = Tensor::zeros({0}, DType::kFloat64);
  expect_values(einsum("i,j->i", {nan, nothing}), {2}, {0, 0});
  expect_values(einsum("i,i,j->i", {nan, nan, nothing}), {2}, {0, 0});
  const Tensor out = ones({2});
  einsum("i,j,j->i", {nan, nothing, nothing}, {.beta = 3.0, .out = out});
  expect_values(out, {2}, {3, 3});
}

TEST(ContractionLoop, RunsOnNewDataOtherStridesAndInPlace) {
  const Tensor a = range({3, 4});
  const Tensor b = range({4, 5});
  const Contraction contraction("ij,jk->ik", {a, b});
  const std::vector<double> expected = einsum("ij,jk->ik", {a, b}).to_vector<double>();
  EXPECT_EQ(contraction({a, b}).to_vector<double>(), expected);
  const Tensor strided = range({4, 3}).permute({1, 0});
  EXPECT_EQ(contraction({strided, b}).to_vector<double>(), einsum("ij,jk->ik", {strided, b}).to_vector<double>());
  const Tensor out = ones({3, 5});
  contraction.run_into({a, b}, out.mutable_view(), {.alpha = 1.0, .beta = 1.0});
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(out.to_vector<double>()[i], expected[i] + 1);
  const Tensor narrow = Tensor::zeros({3, 5}, DType::kFloat32);
  contraction.run_into({a, b}, narrow.mutable_view());
  EXPECT_EQ(narrow.to_vector<double>(), expected);
  EXPECT_THAT(contraction.describe(), ::testing::HasSubstr("m=3, n=5, k=4\nprecision fast, error at most "));
}

// BLAS semantics.
TEST(EinsumOptions, AlphaZeroDoesNotReadTheOperands) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor bad = Tensor::full({2, 2}, nan, DType::kFloat64);
  for (const char* subscripts : {"ij,jk->ik", "ij,jk,kl->il"}) {
    const std::vector<TensorView> operands(subscripts[5] == ',' ? 3 : 2, bad.view());
    EXPECT_EQ(einsum(subscripts, operands, {.alpha = 0}).to_vector<double>(), std::vector<double>(4, 0.0));
    const Tensor out = Tensor::full({2, 2}, 3.0, DType::kFloat64);
    einsum(subscripts, operands, {.alpha = 0, .beta = 0.5, .out = out});
    EXPECT_EQ(out.to_vector<double>(), std::vector<double>(4, 1.5));
    Contraction(subscripts, operands).run_into(operands, out.mutable_view(), {0.0, 2.0});
    EXPECT_EQ(out.to_vector<double>(), std::vector<double>(4, 3.0));
  }
  EXPECT_EQ(einsum("ij->ji", {bad}, {.alpha = 0}).to_vector<double>(), std::vector<double>(4, 0.0));
}

// The strides of an axis of one element may be anything.
TEST(EinsumOptions, DiagonalOfOneElementTakesAnyStrides) {
  std::int8_t value = 5;
  const TensorView one(&value, DType::kInt8, {1, 1}, Strides{std::int64_t{1} << 58, std::int64_t{1} << 58});
  EXPECT_EQ(einsum("ii->i", {one}).to_vector<int>(), std::vector<int>{5});
}

}  // namespace
}  // namespace trntensor
