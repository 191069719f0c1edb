// What the original package got wrong in einsum, planning and accumulation, each with the right value or error.
#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/reference/reference.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::expect_values;
using testing::ones;
using testing::range;

/// Compares with the oracle; all values are small integers, so results are exact.
void expect_oracle(const std::string& text, const Tensor& a, const Tensor& b) {
  SCOPED_TRACE(text);
  const std::vector<Shape> shapes{a.shape(), b.shape()};
  const std::vector<TensorView> views{a, b};
  const Tensor expected = reference::einsum(parse_spec(text, shapes), views);
  expect_values(einsum(text, views), expected.shape(), expected.to_vector<double>());
}

struct PairCase {
  const char* text;
  Shape a;
  Shape b;
};

class OriginalWrongString : public ::testing::TestWithParam<PairCase> {};

TEST_P(OriginalWrongString, GivesTheRightValueForDistinctAndEqualExtents) {
  const PairCase& c = GetParam();
  expect_oracle(c.text, range(c.a), range(c.b, 1.0));
  expect_oracle(c.text, range(Shape(c.a.size(), 3)), range(Shape(c.b.size(), 3), 1.0));
}

INSTANTIATE_TEST_SUITE_P(Matmul, OriginalWrongString,
                         ::testing::Values(PairCase{"ij,jk->ki", {2, 3}, {3, 4}}, PairCase{"ij,kj->ki", {2, 3}, {4, 3}},
                                           PairCase{"ji,kj->ki", {3, 2}, {4, 3}}, PairCase{"kl,ik->il", {3, 4}, {2, 3}},
                                           PairCase{"kj,ji", {4, 3}, {3, 2}}, PairCase{"ij,jk->i", {2, 3}, {3, 4}},
                                           PairCase{"ij,jk->k", {2, 3}, {3, 4}}, PairCase{"ij,jk->", {2, 3}, {3, 4}},
                                           PairCase{"ij,jj->i", {2, 3}, {3, 3}}, PairCase{"ii,ij->j", {3, 3}, {3, 2}}));

INSTANTIATE_TEST_SUITE_P(
    BatchedMatmul, OriginalWrongString,
    ::testing::Values(PairCase{"bij,bkj->bik", {2, 3, 4}, {2, 5, 4}}, PairCase{"bji,bjk->bik", {2, 4, 3}, {2, 4, 5}},
                      PairCase{"ibj,bjk->bik", {3, 2, 4}, {2, 4, 5}}, PairCase{"bij,jbk->bik", {2, 3, 4}, {4, 2, 5}},
                      PairCase{"ijb,jkb->ikb", {3, 4, 2}, {4, 5, 2}}, PairCase{"iap,ibp->iab", {2, 3, 4}, {2, 5, 4}},
                      PairCase{"bij,bjk->bki", {2, 3, 4}, {2, 4, 5}}, PairCase{"bij,bjk->ibk", {2, 3, 4}, {2, 4, 5}},
                      PairCase{"bij,bjk->bi", {2, 3, 4}, {2, 4, 5}}, PairCase{"bij,bjk->b", {2, 3, 4}, {2, 4, 5}},
                      PairCase{"bii,bij->bj", {2, 3, 3}, {2, 3, 4}}));

TEST(OriginalFaults, InvalidOutputsAreRefused) {
  expect_error(ErrorKind::kInvalidArgument, {"'z'"}, [] { einsum("ij,jk->iz", {ones({2, 2}), ones({2, 2})}); });
  expect_error(ErrorKind::kInvalidArgument, {"'i'", "repeated"},
               [] { einsum("ij,jk->ii", {ones({2, 2}), ones({2, 2})}); });
}

TEST(OriginalFaults, BlanksAndEllipsesAreAccepted) {
  expect_values(einsum(" i j , j k -> i k ", {ones({2, 3}), ones({3, 2})}), {2, 2}, {3, 3, 3, 3});
  expect_values(einsum("...ij,...jk", {ones({4, 2, 3}), ones({3, 2})}), {4, 2, 2}, std::vector<double>(16, 3.0));
}

TEST(OriginalFaults, OutIsWrittenAndBetaZeroNeverReadsIt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor out = Tensor::full({2, 2}, nan, DType::kFloat64);
  const Tensor result = einsum("ij,jk->ik", {ones({2, 3}), ones({3, 2})}, {.out = out});
  EXPECT_EQ(result.data(), out.data());
  expect_values(out, {2, 2}, {3, 3, 3, 3});
  einsum("ij,jk->ik", {ones({2, 3}), ones({3, 2})}, {.alpha = 2.0, .beta = 10.0, .out = out});
  expect_values(out, {2, 2}, {36, 36, 36, 36});
}

TEST(OriginalFaults, OutOfAnotherShapeIsRefused) {
  for (const Shape& shape : {Shape{2, 1}, Shape{4}, Shape{2, 2, 1}, Shape{}}) {
    const Tensor out = Tensor::zeros(shape, DType::kFloat64);
    expect_error(ErrorKind::kInvalidArgument, {"out has shape " + format_shape(shape), "(2, 2)"},
                 [&] { einsum("ij,jk->ik", {ones({2, 3}), ones({3, 2})}, {.out = out}); });
  }
}

TEST(OriginalFaults, AlphaScalesBeforeTheResultIsRounded) {
  // 3 * 30000 = 90000 is infinity in float16 (largest 65504); half of it, 45000, rounds to 44992.
  const Tensor a = Tensor::from_values<double>({1}, {3.0}).astype(DType::kFloat16);
  const Tensor b = Tensor::from_values<double>({1}, {30000.0}).astype(DType::kFloat16);
  EXPECT_EQ(einsum("i,i->", {a, b}, {.alpha = 0.5}).item<float>(), 44992.0F);
}

TEST(OriginalFaults, KahanKeepsImaginaryPartsAndThePromotedType) {
  using C = std::complex<float>;
  const Tensor a = Tensor::from_values<C>({2}, {C{1, 2}, C{3, 4}});
  const Tensor b = Tensor::from_values<C>({2}, {C{5, 6}, C{7, 8}});
  EXPECT_EQ(einsum("i,i->", {a, b}, {.precision = Precision::kKahan}).item<C>(), (C{-18, 68}));
  const Tensor mixed = einsum("i,i->", {ones<float>({2}), ones<double>({2})}, {.precision = Precision::kKahan});
  EXPECT_EQ(mixed.dtype(), DType::kFloat64);
}

TEST(OriginalFaults, PlanIsTrueAboutWhatRuns) {
  const Plan plan = plan_contraction("ap,bp->ab", {ones({6, 5}), ones({7, 5})});
  EXPECT_EQ(plan.strategy(), "matmul");
  EXPECT_EQ(plan.backend(), "host");
  EXPECT_EQ(plan.estimated_flops(), 2.0 * 6 * 7 * 5);
  EXPECT_FALSE(plan.trans_a());
  EXPECT_TRUE(plan.trans_b());
  EXPECT_EQ(plan.contraction_indices(), (std::vector<std::string>{"p"}));
  EXPECT_EQ(plan.output_indices(), (std::vector<std::string>{"a", "b"}));
}

TEST(OriginalFaults, ChemistryContractionsAreMatrixProducts) {
  EXPECT_EQ(plan_contraction("iap,jbp->ijab", {ones({2, 3, 4}), ones({2, 3, 4})}).strategy(), "matmul");
  EXPECT_EQ(plan_contraction("ijk,jkl->il", {ones({2, 3, 4}), ones({3, 4, 5})}).strategy(), "matmul");
  EXPECT_EQ(plan_contraction("mi,mnP->inP", {ones({4, 2}), ones({4, 4, 3})}).strategy(), "matmul");
  EXPECT_EQ(plan_contraction("iap,ibp->iab", {ones({2, 3, 4}), ones({2, 3, 4})}).strategy(), "bmm");
}

TEST(OriginalFaults, TransformNeverStartsWithAnOuterProduct) {
  const Tensor c_occ = Tensor::empty({256, 16}, DType::kFloat32);
  const Tensor c_vir = Tensor::empty({256, 32}, DType::kFloat32);
  const Tensor eri = Tensor::empty({256, 256, 256}, DType::kFloat32);
  for (const PathMethod method : {PathMethod::kAuto, PathMethod::kGreedy, PathMethod::kOptimal}) {
    const Plan plan = plan_contraction("mi,na,mnP->iaP", {c_occ, c_vir, eri}, {.optimize = method});
    EXPECT_FALSE(plan.steps().front().contracted.empty());
    EXPECT_LE(plan.contents().macs, 3.03e8);
  }
}

TEST(OriginalFaults, ChainOfThreeIsContractedFromTheCheapEnd) {
  const Plan plan = plan_contraction("ij,jk,kl->il", {ones({100, 200}), ones({200, 5}), ones({5, 50})});
  EXPECT_EQ(plan.contents().macs, 100 * 200 * 5 + 100 * 5 * 50);
}

TEST(OriginalFaults, EstimateCountsTheLoopNest) {
  EXPECT_EQ(estimate_flops("ij,jk->ik", {ones({2, 3}), ones({3, 4})}), 24);
  EXPECT_EQ(estimate_flops("ij,jk,kl->il", {ones({2, 3}), ones({3, 4}), ones({4, 5})}), 120);
  expect_error(ErrorKind::kInvalidArgument, {"'j'"}, [] { estimate_flops("ij,jk->ik", {ones({2, 3}), ones({4, 4})}); });
}

TEST(OriginalFaults, CacheKnowsTypesAndCountsHits) {
  clear_plan_cache();
  const Tensor a = ones<double>({3, 3});
  const Tensor b = ones<float>({3, 3});
  EXPECT_EQ(einsum("ij,jk->ik", {a, a}).dtype(), DType::kFloat64);
  EXPECT_EQ(einsum("ij,jk->ik", {b, b}).dtype(), DType::kFloat32);
  EXPECT_EQ(einsum("ij,jk->ik", {a, a}).dtype(), DType::kFloat64);
  const PlanCacheInfo info = plan_cache_info();
  EXPECT_EQ(info.misses, 2);
  EXPECT_EQ(info.hits, 1);
  EXPECT_EQ(info.size, 2);
  clear_plan_cache();
  EXPECT_EQ(plan_cache_info().size, 0);
}

TEST(OriginalFaults, MultiEinsumChecksEverythingBeforeItRuns) {
  const Tensor a = ones({2, 2});
  const std::vector<ContractionCall> calls{{"ij,jk->ik", {a, a}}, {"ij,jk->iz", {a, a}}};
  expect_error(ErrorKind::kInvalidArgument, {"contraction 1", "'z'"}, [&] { multi_einsum(calls); });
  const std::vector<ContractionCall> good{
      {"ij,jk->ik", {a, a}}, {"ab,bc->ac", {a, a}}, {"i,i->", {a.select(0, 0), a.select(0, 1)}}};
  const std::vector<Tensor> results = multi_einsum(good, {.alpha = 3.0});
  ASSERT_EQ(results.size(), 3U);
  expect_values(results[0], {2, 2}, {6, 6, 6, 6});
  expect_values(results[1], {2, 2}, {6, 6, 6, 6});
  expect_values(results[2], {}, {6});
}

}  // namespace
}  // namespace trntensor
