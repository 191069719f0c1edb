// ao_to_mo_transform against the loops of its definition, its types, and its errors.
#include "trntensor/quantum/transform.hpp"

#include <gtest/gtest.h>

#include "tests/quantum/mp2_oracle.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::random_tensor;

struct Integrals {
  Tensor eri;
  Tensor C_occ;
  Tensor C_vir;

  Tensor transform(const TransformOptions& options = {}) const {
    return ao_to_mo_transform(eri, C_occ, C_vir, options);
  }
};

Integrals random_integrals(std::int64_t nbf, std::int64_t nocc, std::int64_t nvir, std::int64_t naux) {
  Random random(5);
  Tensor eri = random_tensor({nbf, nbf, naux}, random, -1, 1);
  Tensor C_occ = random_tensor({nbf, nocc}, random, -1, 1);
  Tensor C_vir = random_tensor({nbf, nvir}, random, -1, 1);
  return {std::move(eri), std::move(C_occ), std::move(C_vir)};
}

/// Elements are sums of nbf^2 terms of size below 1.
void expect_definition(const Integrals& integrals, const Tensor& actual, double epsilon) {
  const std::int64_t nbf = integrals.eri.extent(0);
  ASSERT_EQ(format_shape(actual.shape()),
            format_shape(Shape{integrals.C_occ.extent(1), integrals.C_vir.extent(1), integrals.eri.extent(2)}));
  const Tensor values = actual.astype(DType::kFloat64);
  for (std::int64_t i = 0; i < actual.extent(0); ++i) {
    for (std::int64_t a = 0; a < actual.extent(1); ++a) {
      for (std::int64_t p = 0; p < actual.extent(2); ++p) {
        double sum = 0;
        for (std::int64_t m = 0; m < nbf; ++m) {
          for (std::int64_t n = 0; n < nbf; ++n) {
            sum += integrals.C_occ.at<double>({m, i}) * integrals.C_vir.at<double>({n, a}) *
                   integrals.eri.at<double>({m, n, p});
          }
        }
        ASSERT_NEAR(values.at<double>({i, a, p}), sum, 4 * static_cast<double>(nbf * nbf + 4) * epsilon);
      }
    }
  }
}

TEST(AoToMo, IsTheSumOfItsDefinition) {
  for (const auto& [nbf, nocc, nvir, naux] :
       {std::tuple{1, 1, 1, 1}, {7, 2, 5, 9}, {12, 11, 1, 6}, {5, 0, 5, 3}, {6, 2, 4, 0}}) {
    SCOPED_TRACE(::testing::Message() << nbf << " " << nocc << " " << nvir << " " << naux);
    const Integrals integrals = random_integrals(nbf, nocc, nvir, naux);
    expect_definition(integrals, integrals.transform(), 0x1p-53);
  }
}

TEST(AoToMo, TakesAnyStrides) {
  const Integrals integrals = random_integrals(7, 3, 4, 5);
  const Integrals strided{integrals.eri.permute({2, 1, 0}).clone().permute({2, 1, 0}),
                          integrals.C_occ.permute({1, 0}).clone().permute({1, 0}),
                          integrals.C_vir.reverse(0).clone().reverse(0)};
  expect_definition(integrals, strided.transform(), 0x1p-53);
}

TEST(AoToMo, KeepsOrTakesTheType) {
  Integrals integrals = random_integrals(7, 3, 4, 5);
  EXPECT_EQ(integrals.transform().dtype(), DType::kFloat64);
  const Tensor asked = integrals.transform({.dtype = DType::kFloat32});
  EXPECT_EQ(asked.dtype(), DType::kFloat32);
  expect_definition(integrals, asked, 0x1p-23);
  const Integrals narrow{integrals.eri.astype(DType::kFloat32), integrals.C_occ.astype(DType::kFloat32),
                         integrals.C_vir.astype(DType::kFloat32)};
  EXPECT_EQ(narrow.transform().dtype(), DType::kFloat32);
}

TEST(AoToMo, ComplexOrbitalsAreNotConjugated) {
  const Tensor eri = Tensor::full({1, 1, 1}, 2.0, DType::kFloat64);
  const Tensor orbital = Tensor::full({1, 1}, {0.0, 1.0}, DType::kComplex128);
  EXPECT_EQ(ao_to_mo_transform(eri, orbital, orbital).item<std::complex<double>>(), std::complex<double>(-2.0, 0.0));
}

TEST(AoToMo, ShapesThatDoNotFitAreNamed) {
  const auto refused = [](const Integrals& integrals, const std::vector<std::string>& fragments) {
    expect_error(ErrorKind::kInvalidArgument, fragments, [&] { integrals.transform(); });
  };
  const Integrals good = random_integrals(6, 2, 4, 5);
  refused({good.eri.reshape({36, 5}), good.C_occ, good.C_vir}, {"eri must be 3D", "(36, 5)", "(nbf, nbf, naux)"});
  refused({good.eri.permute({2, 0, 1}), good.C_occ, good.C_vir}, {"first two dims must match", "(5, 6, 6)", "permute"});
  refused({good.eri, good.C_occ.reshape({12}), good.C_vir}, {"C_occ must be 2D", "(12,)"});
  refused({good.eri, good.C_occ, good.C_vir.reshape({6, 4, 1})}, {"C_vir must be 2D", "(6, 4, 1)"});
  refused({good.eri, good.C_occ.slice(0, 0, 5), good.C_vir}, {"C_occ of shape (5, 2) has 5 rows", "6 basis functions"});
  refused({good.eri, good.C_occ, good.C_vir.permute({1, 0})}, {"C_vir of shape (4, 6) has 4 rows"});
  refused({Tensor::zeros({6, 6, 5}, DType::kInt64), good.C_occ, good.C_vir}, {"eri is int64", "floating point"});
}

TEST(AoToMo, AMemoryLimitThatCannotBeKeptIsRefused) {
  const Integrals integrals = random_integrals(6, 2, 4, 5);
  // The half-transformed integrals and the result together: (2*6*5 + 2*4*5) * 8 bytes.
  EXPECT_NO_THROW(integrals.transform({.memory_limit = 800}));
  EXPECT_THROW(integrals.transform({.memory_limit = 100}), Error);
}

}  // namespace
}  // namespace trntensor
