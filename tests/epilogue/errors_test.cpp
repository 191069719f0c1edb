// Each misuse of an epilogue, its kind, and the words that name the culprit.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/plan/support.hpp"
#include "trntensor/dispatch/epilogue.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::exp;
using epilogue::max;
using epilogue::sum;
using epilogue::tensor;
using testing::expect_error;

struct Call {
  Tensor a = Tensor::zeros({3, 4}, DType::kFloat64);
  Tensor b = Tensor::zeros({4, 5}, DType::kFloat64);
  Tensor v = Tensor::zeros({5}, DType::kFloat64);
  EpilogueOptions options;

  Tensor run(const Expression& expression) const {
    return einsum_with_epilogue("ik,kj->ij", {a, b}, expression, {{"v", v}}, options);
  }
};

void expect_refused(const Expression& expression, const std::vector<std::string>& fragments) {
  expect_error(ErrorKind::kInvalidArgument, fragments, [&] { Call().run(expression); });
}

TEST(EpilogueErrors, LabelsMustBeThoseOfTheResult) {
  expect_refused(sum("k", element()), {"\"k\" in sum[k](x) is no label of the result", "\"ij\""});
  expect_refused(element() * tensor("v", "z"), {"\"z\" in v[z]", "epilogue x * v[z]", "\"ij\""});
  expect_refused(sum("ii", element()), {"label \"i\" is twice in sum[ii](x)"});
  expect_refused(element("i"), {"x[i] has 1 labels, the result 2"});
  expect_refused(element("ijk"), {"\"k\" in x[ijk]"});
  expect_refused(sum("", element()), {"is over no label"});
  expect_refused(sum("i", tensor("v", "j")), {"is over \"i\", on which its argument does not depend"});
  expect_refused(sum("j", sum("j", element())), {"is over \"j\", on which"});
}

TEST(EpilogueErrors, OnlyEqualExtentsChangePlaces) {
  expect_refused(element() - element("ji"), {"x[ji] puts \"j\" of extent 5 in place of \"i\" of extent 3"});
}

TEST(EpilogueErrors, TensorsMustBeThereAndFit) {
  expect_refused(element() + tensor("w", "j"), {"no tensor is named \"w\"", "there are v"});
  expect_refused(element() + tensor("v", "i"), {"v[i]: axis 0 of shape (5,) has extent 5, label \"i\" has 3"});
  expect_refused(element() + tensor("v", "ij"), {"v[ij] has 2 labels, its tensor of shape (5,) has 1 axes"});
  expect_error(ErrorKind::kInvalidArgument, {"tensors 0 and 1 are both named \"v\""}, [&] {
    const Call call;
    einsum_with_epilogue("ik,kj->ij", {call.a, call.b}, element(), {{"v", call.v}, {"v", call.v}});
  });
}

TEST(EpilogueErrors, OutputMustBeWhatIsLeft) {
  for (const char* const output : {"i", "ijk", "iji", "ik", ""}) {
    Call call;
    call.options.output = output;
    expect_error(ErrorKind::kInvalidArgument, {"output \"", output, "\"ij\" that the expression leaves"},
                 [&] { call.run(element()); });
  }
  Call call;
  call.options.output = "j i";
  EXPECT_EQ(call.run(element()).shape(), Shape({5, 3}));
  call.options.output = "";
  EXPECT_EQ(call.run(sum("ij", element())).rank(), 0);
}

TEST(EpilogueErrors, WhatIsNotOfferedIsSaid) {
  for (const DType dtype : {DType::kComplex128, DType::kInt32, DType::kBool}) {
    Call call;
    call.a = call.a.astype(dtype);
    call.b = call.b.astype(dtype);
    expect_error(ErrorKind::kUnsupported, {std::string(to_string(dtype)), "no epilogue"},
                 [&] { call.run(exp(element())); });
  }
  Call complex;
  complex.v = complex.v.astype(DType::kComplex64);
  expect_error(ErrorKind::kUnsupported, {"\"v\" is complex64"}, [&] { complex.run(element()); });
  Call doubled;
  doubled.options.precision = Precision::kDoubleDouble;
  expect_error(ErrorKind::kUnsupported, {"precision dd", "fast or kahan"}, [&] { doubled.run(element()); });
  const testing::NamedExecutor other("elsewhere");
  Call call;
  call.options.executor = &other;
  expect_error(ErrorKind::kUnsupported, {"\"elsewhere\" runs no epilogues", "host executor"},
               [&] { call.run(element()); });
}

TEST(EpilogueErrors, ContractionsAreCheckedAsEver) {
  Call call;
  call.b = Tensor::zeros({3, 5}, DType::kFloat64);
  expect_error(ErrorKind::kInvalidArgument, {"k"}, [&] { call.run(element()); });
  call = {};
  call.options.num_threads = -1;
  expect_error(ErrorKind::kInvalidArgument, {"-1"}, [&] { call.run(element()); });
}

TEST(EpilogueErrors, ABlockBeyondTheLimitIsRefused) {
  Call call;
  call.options.memory_limit = 39;
  expect_error(ErrorKind::kOutOfMemory, {"40 bytes", "39 bytes", "at least 40 bytes"},
               [&] { call.run(element() - max("j", element())); });
  call.options.memory_limit = 40;
  EXPECT_EQ(call.run(element() - max("j", element())).shape(), Shape({3, 5}));
}

}  // namespace
}  // namespace trntensor
