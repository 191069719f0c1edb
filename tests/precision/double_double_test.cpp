// Precision dd against sums of 300 bits: shapes, strides, types, routes, kernels, threads.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/common/random_spec.hpp"
#include "tests/precision/random_numbers.hpp"
#include "tests/precision/wide_oracle.hpp"
#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/host/executor.hpp"
#include "trntensor/host/kernels/table.hpp"

namespace trntensor {
namespace {

using testing::dd_holds_its_bound;
using testing::spread_tensor;
using C = std::complex<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
const EinsumOptions kDd{.precision = Precision::kDoubleDouble};

std::vector<Tensor> matrices(std::int64_t m, std::int64_t k, std::int64_t n, DType dtype, std::uint64_t seed) {
  Random random(seed);
  return {spread_tensor(random, {m, k}, dtype, 20), spread_tensor(random, {k, n}, dtype, 20)};
}

class OfEachKernel : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { set_host_kernel(GetParam()); }
  void TearDown() override { set_host_kernel(""); }
};
INSTANTIATE_TEST_SUITE_P(DoubleDouble, OfEachKernel, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& name) { return name.param; });

TEST_P(OfEachKernel, HoldsTheBoundInMatrixProducts) {
  for (const DType dtype : {DType::kFloat64, DType::kComplex128}) {
    for (const std::int64_t k : {0, 1, 2, 3, 4, 5, 7, 64, 515}) {
      EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", matrices(13, k, 21, dtype, 1), {}, 60)) << to_string(dtype) << k;
    }
  }
}

TEST_P(OfEachKernel, HoldsTheBoundOnEveryRoute) {
  Random random(5);
  for (const DType dtype : {DType::kFloat64, DType::kComplex128}) {
    const Tensor vector = spread_tensor(random, {700}, dtype, 30);
    const Tensor other = spread_tensor(random, {700}, dtype, 30);
    const Tensor matrix = spread_tensor(random, {9, 700}, dtype, 30);
    for (const char* route : {"", "gemm", "nest"}) {
      const host::HostExecutor executor({.route = route});
      const EinsumOptions options{.executor = &executor};
      EXPECT_TRUE(dd_holds_its_bound("i,i->", {vector, other}, options)) << route;
      EXPECT_TRUE(dd_holds_its_bound("ij,j->i", {matrix, vector}, options)) << route;
      EXPECT_TRUE(dd_holds_its_bound("ij,ij->j", {matrix, matrix}, options)) << route;
      EXPECT_TRUE(dd_holds_its_bound("i,j->ij", {matrix.select(1, 0), vector}, options, 300)) << route;
      EXPECT_TRUE(dd_holds_its_bound("ij,i->ij", {matrix, matrix.select(1, 3)}, options, 300)) << route;
      EXPECT_TRUE(dd_holds_its_bound("ij,k->k", {matrix, vector}, options, 5)) << route << ": a sum taken first";
    }
    EXPECT_TRUE(dd_holds_its_bound("ij->", {matrix}));
    EXPECT_TRUE(dd_holds_its_bound("ij->j", {matrix}, {.alpha = 1.0 / 3}));
  }
}

TEST(DoubleDouble, HoldsTheBoundInRandomContractions) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const testing::RandomSpec spec = testing::random_spec(seed, {.max_operands = 4, .max_points = 1500});
    Random random(seed + 1000);
    const DType dtype = seed % 2 == 0 ? DType::kFloat64 : DType::kComplex128;
    std::vector<Tensor> operands;
    for (const Shape& shape : spec.shapes)
      operands.push_back(spread_tensor(random, shape, dtype, seed % 3 == 0 ? 1 : 60));
    EinsumOptions options;
    if (seed % 4 == 1) options.alpha = 1.0 / 3;
    if (seed % 8 == 5) {
      options.beta = -0.7;
      options.out = spread_tensor(random, spec.parse().output_shape(), dtype, 60, {.writable = true});
    }
    ASSERT_TRUE(dd_holds_its_bound(spec.subscripts, operands, options, 200)) << spec;
  }
}

TEST(DoubleDouble, HoldsTheBoundAcrossBlocksAndThreads) {
  for (const int threads : {1, 4}) {
    const EinsumOptions options{.num_threads = threads};
    EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", matrices(70, 1300, 90, DType::kFloat64, 2), options, 30));
    EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", matrices(2, 50000, 3, DType::kComplex128, 3), options, 6));
    EXPECT_TRUE(dd_holds_its_bound("ij,jk->", matrices(1, 60000, 1, DType::kFloat64, 3), options, 1));
  }
}

TEST(DoubleDouble, HoldsTheBoundInSinglePrecisionToo) {
  Random random(9);
  for (const DType dtype : {DType::kFloat32, DType::kComplex64, DType::kBFloat16, DType::kFloat16}) {
    const Tensor a = testing::random_tensor(random, {5, 300}, dtype);
    const Tensor b = testing::random_tensor(random, {300, 4}, dtype);
    const bool is_wide = is_complex(dtype);
    // Rounded once to the type, twice in all.
    EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b}));
    EXPECT_TRUE(dd_holds_its_bound("ij,jk->ik", {a, b}, {.dtype = is_wide ? DType::kComplex128 : DType::kFloat64}));
  }
}

TEST(DoubleDouble, KeepsBothPartsOfIntermediates) {
  // (a b) c cancels between the steps: 2^60 + 1/3 ulp survives only in the second part.
  const Tensor a = Tensor::from_values<double>({1, 3}, {0x1p60, 1.0, 0x1p-30});
  const Tensor b = Tensor::from_values<double>({3, 2}, {1, 1, 0.1, 0.7, 3, 5});
  const Tensor c = Tensor::from_values<double>({2, 1}, {1, -1});
  for (const ContractionPath& path : {ContractionPath{{0, 1}, {0, 1}}, ContractionPath{{1, 2}, {0, 1}}}) {
    EXPECT_TRUE(dd_holds_its_bound("ij,jk,kl->il", {a, b, c}, {.path = path}));
  }
  Random random(11);
  const Tensor x = spread_tensor(random, {6, 7}, DType::kFloat64, 40);
  const Tensor y = spread_tensor(random, {7, 8}, DType::kFloat64, 40);
  const Tensor z = spread_tensor(random, {8, 5}, DType::kFloat64, 40);
  const Tensor w = spread_tensor(random, {5, 4}, DType::kFloat64, 40);
  EXPECT_TRUE(dd_holds_its_bound("ab,bc,cd,de->ae", {x, y, z, w}, {.path = ContractionPath{{0, 1}, {0, 1}, {0, 1}}}));
}

TEST(DoubleDouble, GivesNanAndInfinitiesWhereFastDoes) {
  for (const bool two_steps : {false, true}) {
    const Tensor a = Tensor::from_values<double>({3, 2}, {kInf, 1, 1, 2, std::numeric_limits<double>::quiet_NaN(), 1});
    const Tensor b = Tensor::from_values<double>({2, 3}, {1, 0, -2, 1e-3, 3, 4});
    const Tensor c = Tensor::from_values<double>({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    const std::vector<TensorView> operands =
        two_steps ? std::vector<TensorView>{a, b, c} : std::vector<TensorView>{a, b};
    const char* subscripts = two_steps ? "ij,jk,kl->il" : "ij,jk->ik";
    const auto fast = einsum(subscripts, operands, {}).to_vector<double>();
    const auto dd = einsum(subscripts, operands, kDd).to_vector<double>();
    for (std::size_t i = 0; i < fast.size(); ++i) {
      EXPECT_EQ(std::isnan(dd[i]), std::isnan(fast[i])) << i;
      if (!std::isnan(fast[i])) {
        EXPECT_DOUBLE_EQ(dd[i], fast[i]) << i;
      }
    }
  }
}

TEST(DoubleDouble, ReadsNoOperandWhenAlphaIsZero) {
  const Tensor nan = Tensor::full({2, 2}, std::numeric_limits<double>::quiet_NaN(), DType::kFloat64);
  const Tensor out = Tensor::full({2, 2}, 3.0, DType::kFloat64);
  const Tensor result = einsum("ij,jk,kl->il", {nan, nan, nan},
                               {.alpha = 0.0, .beta = 0.5, .out = out, .precision = Precision::kDoubleDouble});
  EXPECT_EQ(result.to_vector<double>(), (std::vector<double>(4, 1.5)));
}

TEST(DoubleDouble, LeavesIntegersAsTheyAre) {
  const Tensor a = Tensor::from_values<std::int32_t>({2, 2}, {1, 2, 3, INT32_MAX});
  EXPECT_EQ(einsum("ij,jk->ik", {a, a}, kDd).to_vector<std::int32_t>(),
            einsum("ij,jk->ik", {a, a}).to_vector<std::int32_t>());
}

TEST(DoubleDouble, RunsThroughAPreparedContraction) {
  const std::vector<Tensor> operands = matrices(5, 9, 6, DType::kFloat64, 4);
  const Contraction step("ij,jk->ik", {operands[0], operands[1]}, kDd);
  EXPECT_EQ(step({operands[0], operands[1]}).to_vector<double>(),
            einsum("ij,jk->ik", {operands[0], operands[1]}, kDd).to_vector<double>());
}

TEST(DoubleDouble, CountsTheSecondPartsOfIntermediatesInTheMemoryOfAPlan) {
  const std::vector<Tensor> m = matrices(16, 16, 16, DType::kFloat64, 4);
  const std::vector<TensorView> chain{m[0], m[1], m[0]};
  const auto bytes = [&](Precision precision) {
    return plan_contraction("ij,jk,kl->il", chain, {.precision = precision}).contents().peak_bytes;
  };
  EXPECT_EQ(bytes(Precision::kFast), 2 * 16 * 16 * 8);
  EXPECT_EQ(bytes(Precision::kDoubleDouble), 3 * 16 * 16 * 8);
}

}  // namespace
}  // namespace trntensor
