// Wrong results that users of other einsum implementations ran into, each with the right value.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::expect_values;
using testing::ones;
using testing::range;

// numpy/numpy#5907
TEST(UsersFaults, StridedOutWithAnotherTypeIsFilledWholeAndNothingElse) {
  const Tensor buffer = Tensor::zeros({2, 2, 2}, DType::kFloat64);
  const Tensor a = ones<float>({2, 2});
  for (int repeat = 0; repeat < 2; ++repeat) {
    einsum("ij,jk->ik", {a, a}, {.out = buffer.select(2, 0)});
    expect_values(buffer.select(2, 0), {2, 2}, {2, 2, 2, 2});
    expect_values(buffer.select(2, 1), {2, 2}, {0, 0, 0, 0});
  }
  const Tensor line = Tensor::full({10}, 1.0, DType::kFloat64);
  const Tensor b = ones({5, 5});
  einsum("im,im,im->m", {b, b, b}, {.out = line.slice(0, 0, 10, 2)});
  expect_values(line, {10}, {5, 1, 5, 1, 5, 1, 5, 1, 5, 1});
}

// numpy/numpy#10080: an out that is also an operand is refused, never half-overwritten.
TEST(UsersFaults, OutThatIsAnOperandIsRefused) {
  const Tensor p = Tensor::from_values<std::int64_t>({3}, {1, 2, 3});
  const Tensor a = range<std::int64_t>({3, 4, 3});
  const Tensor part = a.slice(1, 1, 4);
  const std::vector<double> before = a.to_vector<double>();
  expect_error(ErrorKind::kInvalidArgument, {"out shares memory with operand 1"},
               [&] { einsum("j,ijk->ijk", {p, part}, {.out = part}); });
  EXPECT_EQ(a.to_vector<double>(), before);
  const Tensor fresh = einsum("j,ijk->ijk", {p, part});
  expect_values(fresh.select(0, 0), {3, 3}, {3, 4, 5, 12, 14, 16, 27, 30, 33});
}

// numpy/numpy#20305
TEST(UsersFaults, HalfPrecisionDotKeepsEveryTerm) {
  const Tensor x = Tensor::from_values<double>({2}, {1.764, 0.4001}).astype(DType::kFloat16);
  EXPECT_EQ(einsum("i,i->", {x, x}).item<float>(), 3.271484375F);  // 3.271 in float16
  const Tensor a = ones({3, 3}).astype(DType::kFloat16);
  const Tensor b = ones({10, 10, 3}).astype(DType::kFloat16);
  for (const double value : einsum("ij,...j", {a, b}).to_vector<double>()) EXPECT_EQ(value, 3);
}

// numpy/numpy#5946
TEST(UsersFaults, TinyBoolProductsReadOnlyTheirOperands) {
  const Tensor buffer = Tensor::zeros({16, 1, 1}, DType::kBool);
  for (std::int64_t i = 3; i < 5; ++i) buffer.at<bool>({i, 0, 0}) = true;
  const Tensor a = buffer.slice(0, 3, 5);
  const Tensor out_buffer = Tensor::zeros({16, 1, 1}, DType::kBool);
  einsum("...ij,...jk->...ik", {a, a}, {.out = out_buffer.slice(0, 3, 5)});
  std::vector<double> expected(16, 0.0);
  expected[3] = expected[4] = 1;
  EXPECT_EQ(out_buffer.to_vector<double>(), expected);
}

// numpy/numpy#10343
TEST(UsersFaults, ExtentOneLabelBroadcastsOnEveryPath) {
  const Tensor a = ones({10, 2});
  const Tensor b = ones({1, 2});
  for (const PathMethod method : {PathMethod::kAuto, PathMethod::kGreedy, PathMethod::kOptimal}) {
    expect_values(einsum("t...i,ti->t...", {a, b}, {.optimize = method}), {10}, std::vector<double>(10, 2.0));
  }
}

// numpy/numpy#10930
TEST(UsersFaults, ContractedExtentOneBroadcasts) {
  const Tensor two = Tensor::zeros({2}, DType::kInt64);
  const Tensor one = Tensor::zeros({1}, DType::kInt64);
  expect_values(einsum("i,i", {two, one}), {}, {0});
  const Tensor a = Tensor::full({1, 5}, 0.5, DType::kFloat64);
  const Tensor b = Tensor::full({5, 5}, 0.5, DType::kFloat64);
  expect_values(einsum("...ij,...jk->...ik", {a, b}), {1, 5}, std::vector<double>(5, 1.25));
  expect_values(einsum("ij,jk->ik", {ones({2, 1}), range({3, 2})}), {2, 2}, {6, 9, 6, 9});
}

// numpy/numpy#11541
TEST(UsersFaults, SizeClashIsFoundOnEveryPath) {
  for (const char* text : {"ij,i->", "ij,i->j", "ij,i->ij"}) {
    expect_error(ErrorKind::kInvalidArgument, {"'i'", "5", "2", "operand 0", "operand 1"},
                 [&] { einsum(text, {ones({5, 1}), ones({2})}); });
  }
}

// numpy/numpy#7741
TEST(UsersFaults, NumberedLabelsHaveNoAlphabet) {
  const Tensor a = range<std::int64_t>({2, 3});
  expect_values(einsum({{a, {40, 30}}}, {{30, 40}}), {3, 2}, {0, 3, 1, 4, 2, 5});
}

// numpy/numpy#11938
TEST(UsersFaults, LongChainsOfNumberedOperandsWork) {
  const Tensor identity = Tensor::from_values<double>({2, 2}, {1, 0, 0, 1});
  for (const std::int64_t n : {26, 40}) {
    std::vector<LabelledOperand> operands;
    for (std::int64_t i = 0; i < n; ++i) operands.push_back({identity, {i, i + 1}});
    expect_values(einsum(operands, {{0, n}}), {2, 2}, {1, 0, 0, 1});
  }
}

// numpy/numpy#4485
TEST(UsersFaults, MixedTypesWithALongOperandAreExact) {
  const Tensor a = range<float>({2, 3});
  const Tensor b = range<std::int16_t>({2, 3, 2731});
  const Tensor result = einsum("cl,cpx->lpx", {a, b});
  EXPECT_EQ(result.dtype(), DType::kFloat32);
  const std::vector<double> values = result.to_vector<double>();
  for (std::int64_t l = 0; l < 3; ++l) {
    for (std::int64_t n = 0; n < 3 * 2731; ++n) {
      const double exact = static_cast<double>(l * n + (3 + l) * (n + 3 * 2731));
      ASSERT_EQ(values[static_cast<std::size_t>(l * 3 * 2731 + n)], exact) << "l=" << l << " n=" << n;
    }
  }
}

// numpy/numpy#30349
TEST(UsersFaults, EllipsisAbsentFromTheOutputIsSummed) {
  const Tensor a = Tensor::from_values<double>({3, 3}, {1, 2, 3, 1, 2, 3, 1, 2, 3});
  expect_values(einsum("i...->i", {a}), {3}, {6, 6, 6});
  expect_values(einsum("...i->i", {a}), {3}, {3, 6, 9});
  const Tensor cube = a.insert_axis(0).broadcast_to({3, 3, 3});
  expect_values(einsum("i...->i", {cube}), {3}, {18, 18, 18});
}

// numpy/numpy#9775
TEST(UsersFaults, OptimalHasNoHiddenMemoryCap) {
  const std::vector<Tensor> operands(8, Tensor::zeros({25, 25}, DType::kFloat64));
  const std::vector<TensorView> views(operands.begin(), operands.end());
  const Plan plan = plan_contraction("ab,ac,bc,ad,bd,ae,ce,de->", views, {.optimize = PathMethod::kOptimal});
  EXPECT_LE(plan.contents().macs, 8.45e5);
  EXPECT_EQ(plan.contents().largest_elements, 15625);
}

// numpy/numpy#25694
TEST(UsersFaults, ComplexIsExactInDoubleAndStaysSingleOnRequest) {
  using C = std::complex<double>;
  const Tensor w = Tensor::from_values<C>({2, 2, 1}, {C{2.6e6, 0}, C{3.8e6, 8e5}, C{3.8e6, -8e5}, C{5.8e6, 0}});
  const Tensor y = Tensor::from_values<C>({1, 2, 2}, {C{1e5, 0}, C{0, 0}, C{0, 0}, C{1e5, 0}});
  const std::vector<C> exact{{2.6e11, 0}, {3.8e11, 8e10}, {3.8e11, -8e10}, {5.8e11, 0}};
  EXPECT_EQ(einsum("cef,feg->cgf", {w, y}).to_vector<C>(), exact);
  const Tensor single = einsum("cef,feg->cgf", {w.astype(DType::kComplex64), y.astype(DType::kComplex64)},
                               {.precision = Precision::kKahan});
  EXPECT_EQ(single.dtype(), DType::kComplex64);
  EXPECT_EQ(single.to_vector<C>()[1], (C{380000010240.0, 8e10F}));
}

// pytorch/pytorch#37628
TEST(UsersFaults, ZeroExtentIsAShapeLikeAnyOther) {
  expect_values(einsum("ij,j", {ones({0, 3}), ones({3})}), {0}, {});
  expect_values(einsum("ij,jk->ik", {ones({2, 0}), ones({0, 3})}), {2, 3}, std::vector<double>(6, 0.0));
}

// pytorch/pytorch#111757
TEST(UsersFaults, ZeroCostPlansHaveStatistics) {
  const Tensor a = ones({1, 1, 0});
  const Tensor one = ones({1});
  expect_values(einsum("abc,a,b->c", {a, one, one}), {0}, {});
  const Plan plan = plan_contraction("abc,a,b->c", {a, one, one});
  EXPECT_EQ(plan.to_table().find("nan"), std::string::npos);
  EXPECT_EQ(plan.to_json().find("nan"), std::string::npos);
}

// pytorch/pytorch#116018
TEST(UsersFaults, MixedTypesPromoteForDotAndElementwiseAlike) {
  using C = std::complex<double>;
  const Tensor a = ones<float>({2});
  const Tensor b = Tensor::from_values<C>({2}, {C{1, 1}, C{1, 0}});
  const Tensor dot = einsum("i,i->", {a, b});
  EXPECT_EQ(dot.dtype(), DType::kComplex128);
  EXPECT_EQ(dot.item<C>(), (C{2, 1}));
  EXPECT_EQ(einsum("i,i->i", {a, b}).to_vector<C>(), (std::vector<C>{{1, 1}, {1, 0}}));
}

// pytorch/pytorch#10661
TEST(UsersFaults, SkinnyBatchedContractionIsRight) {
  const Tensor a = range<float>({2, 200});
  const Tensor b = range<float>({2, 2, 200});
  const Tensor result = einsum("ac,abc->cb", {a, b});
  for (std::int64_t c = 0; c < 200; ++c) {
    for (std::int64_t k = 0; k < 2; ++k) {
      const float exact = a.at<float>({0, c}) * b.at<float>({0, k, c}) + a.at<float>({1, c}) * b.at<float>({1, k, c});
      ASSERT_EQ(result.at<float>({c, k}), exact);
    }
  }
}

// pytorch/pytorch#114943
TEST(UsersFaults, SameLabelsAreMultipliedBeforeTheChainGrows) {
  const Tensor a = Tensor::zeros({500, 500}, DType::kFloat32);
  const Plan plan = plan_contraction("ij,jk,kl,jk->il", {a, a, a, a}, {.optimize = PathMethod::kOptimal});
  EXPECT_LE(plan.contents().macs, 2.503e8);
  EXPECT_EQ(plan.contents().largest_elements, 2.5e5);
}

// pytorch/pytorch#79394
TEST(UsersFaults, DotAndElementwiseAgreeToRounding) {
  for (std::int64_t n = 2; n < 10; ++n) {
    Tensor a = Tensor::empty({64, n, n}, DType::kFloat32);
    Tensor x = Tensor::empty({64, n}, DType::kFloat32);
    for (std::int64_t i = 0; i < a.size(); ++i) a.data_as<float>()[i] = std::sin(static_cast<float>(i + 1));
    for (std::int64_t i = 0; i < x.size(); ++i) x.data_as<float>()[i] = std::cos(static_cast<float>(3 * i + 1));
    const std::vector<double> fused = einsum("bij,bj->b", {a, x}).to_vector<double>();
    const std::vector<double> later = einsum("bi->b", {einsum("bij,bj->bi", {a, x})}).to_vector<double>();
    // Each is within (n^2 + 1) eps sum|a||x|, and |a|, |x| are at most 1.
    const double bound = 2.0 * static_cast<double>(n * n + 1) * 0x1p-24 * static_cast<double>(n * n);
    for (std::size_t b = 0; b < 64; ++b) ASSERT_NEAR(fused[b], later[b], bound) << "n=" << n << " b=" << b;
  }
}

// jax-ml/jax#1851
TEST(UsersFaults, SumOverBoolIsLogicalOr) {
  const Tensor a = Tensor::full({3, 3}, 1.0, DType::kBool);
  const Tensor result = einsum("ij->i", {a});
  EXPECT_EQ(result.dtype(), DType::kBool);
  EXPECT_EQ(result.to_vector<double>(), (std::vector<double>{1, 1, 1}));
  const Tensor many = Tensor::full({256, 256}, 1.0, DType::kBool);  // 65536 products, 0 in any narrow counter
  EXPECT_TRUE(einsum("ij,ij->", {many, many}).item<bool>());
}

// jax-ml/jax#2189
TEST(UsersFaults, EllipsesOfUnequalLengthAndExtentBroadcast) {
  const Tensor a = range({2, 1, 3, 3});
  const Tensor b = range({2, 4, 3});
  const Tensor result = einsum("...ij,...j", {a, b});
  ASSERT_EQ(format_shape(result.shape()), "(2, 4, 3)");
  for (std::int64_t t = 0; t < 2; ++t) {
    for (std::int64_t u = 0; u < 4; ++u) {
      for (std::int64_t i = 0; i < 3; ++i) {
        double exact = 0;
        for (std::int64_t j = 0; j < 3; ++j) exact += a.at<double>({t, 0, i, j}) * b.at<double>({t, u, j});
        EXPECT_EQ(result.at<double>({t, u, i}), exact);
      }
    }
  }
}

// dgasmith/opt_einsum#130
TEST(UsersFaults, WrongRankNamesTheRightTerm) {
  expect_error(ErrorKind::kInvalidArgument, {"operand 1", "1 label", "2 ax"},
               [] { einsum("A,A->A", {ones({2}), ones({2, 2})}); });
}

// dgasmith/opt_einsum#172
TEST(UsersFaults, ScalarOperandNeedsNoStepOfItsOwn) {
  const Plan plan = plan_contraction("ab,->ab", {ones({2, 2}), ones({})}, {.optimize = PathMethod::kOptimal});
  EXPECT_EQ(plan.contraction_path(), (ContractionPath{{0, 1}}));
  expect_values(einsum("ab,->ab", {range({2, 2}), Tensor::scalar(3.0)}), {2, 2}, {0, 3, 6, 9});
}

// dgasmith/opt_einsum#254
TEST(UsersFaults, OptimalPricesALabelInThreeOperands) {
  const Tensor bgk = Tensor::empty({64, 8, 4096}, DType::kFloat32);
  const Tensor bkd = Tensor::empty({64, 4096, 128}, DType::kFloat32);
  const Tensor bk = Tensor::empty({64, 4096}, DType::kFloat32);
  const Plan plan = plan_contraction("bgk,bkd,bk->bgd", {bgk, bkd, bk}, {.optimize = PathMethod::kOptimal});
  EXPECT_EQ(plan.contraction_path().front(), (std::vector<int>{0, 2}));
  EXPECT_LE(plan.contents().macs, 2.706e8);
}

// dgasmith/opt_einsum#255
TEST(UsersFaults, RankZeroOutTakesTheScalar) {
  const Tensor out = Tensor::zeros({}, DType::kFloat64);
  einsum("i,i->", {Tensor::from_values<double>({2}, {1, 2}), Tensor::from_values<double>({2}, {3, 4})}, {.out = out});
  EXPECT_EQ(out.item<double>(), 11);
  einsum("CB,iB,iC->", {ones({7, 7}), ones({500, 7}), ones({500, 7})}, {.out = out});
  EXPECT_EQ(out.item<double>(), 500 * 7 * 7);
}

// MatthewsResearchGroup/tblis#41
TEST(UsersFaults, ResultDoesNotDependOnTheLabelsChosen) {
  const Tensor a = ones({5, 6});
  for (const std::int64_t first :
       {std::int64_t{0}, std::int64_t{127}, std::int64_t{255}, std::int64_t{-1}, std::int64_t{INT64_MAX - 1}}) {
    expect_values(einsum({{a, {first, first + 1}}, {a, {first, first + 1}}}, {{first}}), {5},
                  std::vector<double>(5, 6.0));
  }
}

// MatthewsResearchGroup/tblis#52
TEST(UsersFaults, LabelInOneOperandOnlyIsSummedThere) {
  Tensor a = Tensor::empty({2, 2}, DType::kFloat64);
  for (std::int64_t n = 0; n < 4; ++n) a.data_as<double>()[n] = std::log(1.0 + static_cast<double>(n));
  const Tensor b = einsum("ab->ab", {a}, {.alpha = 2.0});
  const double l1 = std::log(1.0) + std::log(2.0);
  const double l2 = std::log(3.0) + std::log(4.0);
  EXPECT_NEAR(einsum("ab,ac->", {a, b}).item<double>(), 2 * (l1 * l1 + l2 * l2), 1e-13);
}

// Einsums/Einsums#283
TEST(UsersFaults, OuterProductIntoAxesThatAreNotAdjacent) {
  const Tensor a = range({2, 4});
  const Tensor b = range({3}, 1.0);
  const Tensor result = einsum("ac,b->abc", {a, b});
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) {
        EXPECT_EQ(result.at<double>({i, j, k}), a.at<double>({i, k}) * b.at<double>({j}));
      }
    }
  }
}

// romeric/Fastor#33
TEST(UsersFaults, MatrixVectorOverTheFirstIndex) {
  const Tensor a = Tensor::from_values<double>({2, 2}, {1, 2, 3, 4});
  expect_values(einsum("ij,i", {a, ones({2})}), {2}, {4, 6});
}

// microsoft/onnxruntime#18654
TEST(UsersFaults, OneOperandTransposesAndSumsTogether) {
  expect_values(einsum("ijk->ki", {range({2, 3, 4})}), {4, 2}, {12, 48, 15, 51, 18, 54, 21, 57});
}

// tinygrad/tinygrad#18207
TEST(UsersFaults, RepeatedLabelThatIsNotLast) {
  const Tensor a = range({2, 2, 4});
  expect_values(einsum("iij->ij", {a}), {2, 4}, {0, 1, 2, 3, 12, 13, 14, 15});
  expect_values(einsum("iij->i", {a}), {2}, {6, 54});
}

// Jutho/TensorOperations.jl#120
TEST(UsersFaults, InPlaceProductIsRefusedNotZeroed) {
  const Tensor a = ones({2, 2, 2, 2});
  expect_error(ErrorKind::kInvalidArgument, {"out shares memory with operand 0"},
               [&] { einsum("ijks,sl->ijkl", {a, ones({2, 2})}, {.out = a}); });
  EXPECT_EQ(a.to_vector<double>(), std::vector<double>(16, 1.0));
}

}  // namespace
}  // namespace trntensor
