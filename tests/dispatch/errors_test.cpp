// One misuse a test: the kind of the error and the words that name the culprit.
#include <gtest/gtest.h>

#include <limits>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

using testing::expect_error;
using testing::ones;

constexpr ErrorKind kInvalid = ErrorKind::kInvalidArgument;

TEST(EinsumErrors, InvalidCharacter) {
  expect_error(kInvalid, {"'1'", "^"}, [] { einsum("i1,1k->ik", {ones({2, 2}), ones({2, 2})}); });
}

TEST(EinsumErrors, TermCountAndOperandCountDiffer) {
  expect_error(kInvalid, {"2 ", "1 operand"}, [] { einsum("ij,jk->ik", {ones({2, 2})}); });
  expect_error(kInvalid, {}, [] { einsum("ij->ij", std::span<const TensorView>{}); });
}

TEST(EinsumErrors, TermLengthIsNotTheRank) {
  expect_error(kInvalid, {"operand 1", "(2, 2, 2)"}, [] { einsum("ij,jk->ik", {ones({2, 2}), ones({2, 2, 2})}); });
}

TEST(EinsumErrors, OneLabelWithTwoSizes) {
  expect_error(kInvalid, {"'j'", "3", "4", "operand 0", "operand 1"},
               [] { einsum("ij,jk->ik", {ones({2, 3}), ones({4, 2})}); });
  expect_error(kInvalid, {"'i'", "operand 0"}, [] { einsum("ii->i", {ones({3, 1})}); });
}

TEST(EinsumErrors, UnknownAndRepeatedOutputLabels) {
  expect_error(kInvalid, {"'x'", "^"}, [] { einsum("ij,jk->ix", {ones({2, 2}), ones({2, 2})}); });
  expect_error(kInvalid, {"'k'", "repeated"}, [] { einsum("ij,jk->kk", {ones({2, 2}), ones({2, 2})}); });
}

TEST(EinsumErrors, OutOverlapsAnOperand) {
  const Tensor buffer = Tensor::zeros({4, 4}, DType::kFloat64);
  expect_error(kInvalid, {"out shares memory with operand 0"}, [&] { einsum("ij->ji", {buffer}, {.out = buffer}); });
  expect_error(kInvalid, {"operand 1"},
               [&] { einsum("ij,jk->ik", {ones({2, 3}), buffer.slice(0, 0, 3)}, {.out = buffer.slice(0, 2, 4)}); });
  // Columns of one buffer interleave without sharing an element: fine.
  einsum("ij->ij", {buffer.slice(1, 0, 2)}, {.out = buffer.slice(1, 2, 4)});
  einsum("ij->ij", {buffer.slice(0, 0, 4, 2)}, {.out = buffer.slice(0, 1, 4, 2)});
}

TEST(EinsumErrors, OutWithElementsThatShareMemory) {
  const Tensor out = Tensor::zeros({1, 2}, DType::kFloat64).broadcast_to({2, 2});
  expect_error(kInvalid, {"out", "share memory"},
               [&] { einsum("ij,jk->ik", {ones({2, 2}), ones({2, 2})}, {.out = out}); });
}

TEST(EinsumErrors, OutOfAnotherKind) {
  const Tensor out = Tensor::zeros({2}, DType::kInt64);
  expect_error(kInvalid, {"float64", "int64"}, [&] { einsum("ij->i", {ones({2, 2})}, {.out = out}); });
  const Tensor real = Tensor::zeros({2}, DType::kFloat64);
  expect_error(kInvalid, {"complex128", "float64"},
               [&] { einsum("ij->i", {ones<std::complex<double>>({2, 2})}, {.out = real}); });
}

TEST(EinsumErrors, DtypeOfAnotherKind) {
  expect_error(kInvalid, {"complex64", "float32", "operand 0"},
               [] { einsum("i->i", {ones<std::complex<float>>({2})}, {.dtype = DType::kFloat32}); });
}

TEST(EinsumErrors, MixedDevices) {
  double value = 0;
  const TensorView on_host(&value, DType::kFloat64, {1});
  const TensorView on_device(&value, DType::kFloat64, {1}, Device{DeviceType::kNeuron, 2});
  expect_error(kInvalid, {"operand 0 on host", "operand 1 on neuron:2"},
               [&] { einsum("i,i->", {on_host, on_device}); });
  expect_error(ErrorKind::kUnsupported, {"neuron:2"}, [&] { einsum("i,i->", {on_device, on_device}); });
}

TEST(EinsumErrors, ScaleThatTheTypeCannotHold) {
  const Tensor ints = ones<std::int32_t>({2});
  expect_error(kInvalid, {"alpha", "int32"}, [&] { einsum("i->", {ints}, {.alpha = 0.5}); });
  expect_error(kInvalid, {"alpha", "float64"}, [&] { einsum("i->", {ones({2})}, {.alpha = {0, 1}}); });
  const Tensor flags = Tensor::zeros({2}, DType::kBool);
  expect_error(kInvalid, {"alpha", "bool"}, [&] { einsum("i->", {flags}, {.alpha = 2}); });
}

TEST(EinsumErrors, BetaWithoutOut) {
  expect_error(kInvalid, {"beta", "out"}, [] { einsum("i->", {ones({2})}, {.beta = 1.0}); });
}

/// Otherwise what out holds would be rounded, wrapped or lose its imaginary part before the sums are added.
TEST(EinsumErrors, OutThatTheSumsCannotHold) {
  const auto add_to = [](DType from, DType to) {
    const Tensor a = Tensor::full({2}, 1.0, from);
    const Tensor out = Tensor::zeros({}, to);
    einsum("i,i->", {a, a}, {.beta = 1.0, .out = out});
    Contraction("i,i->", {a, a}).run_into({a, a}, out.mutable_view(), {.beta = 1.0});
  };
  expect_error(kInvalid, {"beta", "complex128", "float64", "dtype"},
               [&] { add_to(DType::kFloat64, DType::kComplex128); });
  expect_error(kInvalid, {"beta", "float64", "float32"}, [&] { add_to(DType::kFloat32, DType::kFloat64); });
  expect_error(kInvalid, {"beta", "int64", "int32"}, [&] { add_to(DType::kInt32, DType::kInt64); });
  expect_error(kInvalid, {"beta", "float64", "int32"}, [&] { add_to(DType::kInt32, DType::kFloat64); });
  expect_error(kInvalid, {"beta", "int8", "bool"}, [&] { add_to(DType::kBool, DType::kInt8); });
  for (const auto& [from, to] : {std::pair{DType::kBFloat16, DType::kFloat32}, {DType::kInt32, DType::kInt8}}) {
    EXPECT_NO_THROW(add_to(from, to)) << to_string(from) << " to " << to_string(to);
  }
  const Tensor a = ones({2});
  const Tensor out = Tensor::empty({}, DType::kComplex128);
  out.data_as<std::complex<double>>()[0] = {1, 5};
  einsum("i,i->", {a, a}, {.beta = 1.0, .out = out, .dtype = DType::kComplex128});
  EXPECT_EQ(out.item<std::complex<double>>(), std::complex<double>(3, 5));
  const Tensor single = ones<float>({2});
  const Tensor wide = Tensor::full({}, 1 + 0x1p-40, DType::kFloat64);
  einsum("i,i->", {single, single}, {.beta = 1.0, .out = wide, .precision = Precision::kKahan});
  EXPECT_EQ(wide.item<double>(), 3 + 0x1p-40);
}

TEST(EinsumErrors, TargetsThatNoPrecisionKeeps) {
  const Tensor a = ones<float>({3, 4});
  expect_error(kInvalid, {"1e-12", "6e-08", "\"dd\"", "rounding the result to float32", "compute in float64"},
               [&] { einsum("ij,kj->ik", {a, a}, {.target_forward_error = 1e-12}); });
  expect_error(kInvalid, {"0.003", "rounding operand 0 from float32 to bfloat16", "0.00391", "float64"},
               [&] { einsum("ij,kj->ik", {a, a}, {.dtype = DType::kBFloat16, .target_forward_error = 0.003}); });
  expect_error(kInvalid, {"1e-17", "no type of results is wider"},
               [] { einsum("i,i->", {ones({3}), ones({3})}, {.target_forward_error = 1e-17}); });
  const Tensor wide = ones({3, 4});
  expect_error(kInvalid, {"1e-09", "rounding operand 1 from float64 to float32", "5.96e-08"}, [&] {
    const Tensor out = Tensor::empty({3, 3}, DType::kFloat64);
    einsum("ij,kj->ik", {a, wide}, {.out = out, .dtype = DType::kFloat32, .target_forward_error = 1e-9});
  });
}

TEST(EinsumErrors, TargetsThatTheTypeOfOutDoesNotKeep) {
  const Tensor a = ones({3, 5});
  const Contraction exact("ij,kj->ik", {a, a}, {.target_forward_error = 1e-12});
  const Tensor narrow = Tensor::empty({3, 3}, DType::kFloat32);
  expect_error(kInvalid, {"out is float32", "5.96e-08", "target_forward_error is 1e-12", "an out of type float64"},
               [&] { exact.run_into({a, a}, narrow.mutable_view()); });
  const Contraction single("ij,kj->ik", {a, a}, {.target_forward_error = 1e-7});
  single.run_into({a, a}, narrow.mutable_view());
  EXPECT_EQ(narrow.at<float>({2, 2}), 5.0F);
  const Tensor half = Tensor::empty({3, 3}, DType::kFloat16);
  expect_error(kInvalid, {"out is float16", "0.000488"}, [&] { single.run_into({a, a}, half.mutable_view()); });
  const Contraction plain("ij,kj->ik", {a, a});
  plain.run_into({a, a}, half.mutable_view());
  EXPECT_EQ(half.to_vector<double>(), std::vector<double>(9, 5.0));
}

TEST(EinsumErrors, TargetsThatAreNone) {
  const Tensor a = ones({3});
  for (const double target : {-1e-3, std::nan(""), std::numeric_limits<double>::infinity()}) {
    expect_error(kInvalid, {"target_forward_error"}, [&] { einsum("i->", {a}, {.target_forward_error = target}); });
  }
  expect_error(kInvalid, {"target_forward_error", "\"kahan\"", "leave one"},
               [&] { einsum("i->", {a}, {.precision = Precision::kKahan, .target_forward_error = 1e-3}); });
}

TEST(EinsumErrors, ScaleBeyondTheTypeOfTheSums) {
  const Tensor single = ones<float>({2});
  expect_error(kInvalid, {"alpha", "1e+39", "float32"}, [&] { einsum("i->", {single}, {.alpha = 1e39}); });
  expect_error(kInvalid, {"alpha", "1e-50", "float32"}, [&] { einsum("i->", {single}, {.alpha = 1e-50}); });
  const Tensor wide = einsum("i->", {single}, {.alpha = 1e-50, .dtype = DType::kFloat64});
  EXPECT_DOUBLE_EQ(wide.item<double>(), 2e-50);
  EXPECT_EQ(einsum("i->", {single}, {.alpha = 1e39, .precision = Precision::kKahan}).item<float>(),
            std::numeric_limits<float>::infinity());
}

TEST(EinsumErrors, EnumeratorsThatAreNone) {
  const Tensor a = ones({2});
  expect_error(kInvalid, {"enumeration"}, [&] { einsum("i->", {a}, {.dtype = static_cast<DType>(200)}); });
  expect_error(kInvalid, {"enumeration"}, [&] { einsum("i->", {a}, {.precision = static_cast<Precision>(77)}); });
  expect_error(kInvalid, {"enumeration"}, [&] { einsum("i->", {a}, {.optimize = static_cast<PathMethod>(9)}); });
}

TEST(EinsumErrors, ThreadsOfNoMachine) {
  for (const int count : {-1, 1 << 20}) {
    expect_error(kInvalid, {"num_threads", std::to_string(count)},
                 [&] { einsum("i->", {ones({2})}, {.num_threads = count}); });
  }
}

TEST(EinsumErrors, ResultBeyond63Bits) {
  const Tensor one = ones({1});
  const Tensor wide = one.broadcast_to({std::int64_t{1} << 32});
  expect_error(kInvalid, {"2^63"}, [&] { einsum("i,j->ij", {wide, wide}); });
}

TEST(EinsumErrors, ResultThatNoMemoryHolds) {
  const Tensor wide = ones({1}).broadcast_to({std::int64_t{1} << 28});
  expect_error(ErrorKind::kOutOfMemory, {"allocate"}, [&] { einsum("i,j->ij", {wide, wide}); });
}

TEST(EinsumErrors, IntermediateBeyond63Bits) {
  constexpr std::int64_t kLong = std::int64_t{1} << 31;
  const Tensor line = ones({1}).broadcast_to({kLong});
  const Tensor square = ones({1, 1}).broadcast_to({kLong, kLong});
  expect_error(ErrorKind::kOutOfMemory, {"32 EiB"},
               [&] { einsum("i,j,ij->", {line, line, square}, {.path = ContractionPath{{0, 1}, {0, 1}}}); });
}

// Without elements it needs no memory, but its strides must not overflow.
TEST(EinsumErrors, EmptyIntermediateWhoseStridesLeave63Bits) {
  constexpr std::int64_t kLong = std::int64_t{1} << 40;
  const Tensor line = ones({1}).broadcast_to({kLong});
  const Tensor empty = ones({1, 1}).broadcast_to({0, kLong});
  expect_error(ErrorKind::kOutOfMemory, {"63 bits"}, [&] {
    einsum("ij,ik,j,k->i", {empty, empty, line, line}, {.path = ContractionPath{{0, 1}, {0, 2}, {0, 1}}});
  });
}

TEST(EinsumErrors, PathThatIsNoPath) {
  const Tensor a = ones({2, 2});
  const auto call = [&](const ContractionPath& path) { einsum("ij,jk,kl->il", {a, a, a}, {.path = path}); };
  expect_error(kInvalid, {"path"}, [&] { call({{0, 1}}); });
  expect_error(kInvalid, {"path"}, [&] { call({{0, 3}, {0, 1}}); });
  expect_error(kInvalid, {"path"}, [&] { call({{0, 0}, {0, 1}}); });
  expect_error(kInvalid, {"path"}, [&] { call({{0, 1}, {0, 1}, {0, 1}}); });
}

TEST(EinsumErrors, NumberedLabelsDoNotMakeTextLegal) {
  const Tensor a = ones({2, 2});
  einsum({{a, {0, 1}}, {a, {1, 2}}}, {{0, 2}});
  expect_error(kInvalid, {"'#'"}, [&] { einsum("#ij,jk->ik", {a, a}); });
}

TEST(EinsumErrors, MemoryLimitNamesTheNeed) {
  const Tensor a = ones({64, 64});
  expect_error(ErrorKind::kOutOfMemory, {"limit"}, [&] { einsum("ij,jk,kl->il", {a, a, a}, {.memory_limit = 1000}); });
}

TEST(EinsumErrors, MultiEinsumTakesNoOut) {
  const Tensor a = ones({2});
  const std::vector<ContractionCall> calls{{"i->i", {a}}};
  expect_error(kInvalid, {"multi_einsum", "out"}, [&] { multi_einsum(calls, {.out = a}); });
}

TEST(ContractionErrors, PlanThatIsNotThereOrForAnotherBackend) {
  const Tensor a = ones({2, 2});
  const std::vector<TensorView> views{a, a};
  expect_error(kInvalid, {"plan is null"}, [&] { Contraction(std::shared_ptr<const Plan>(), views); });
  std::string json = plan_contraction("ij,jk->ik", views).to_json();
  json.replace(json.find("\"backend\":\"host\"") + 11, 4, "lpu1");
  expect_error(kInvalid, {"\"lpu1\"", "\"host\""},
               [&] { Contraction(std::make_shared<const Plan>(Plan::from_json(json)), views); });
}

TEST(ContractionErrors, OperandsThatWereNotPlanned) {
  const Tensor a = ones({2, 3});
  const Tensor b = ones({3, 4});
  const Contraction contraction("ij,jk->ik", {a, b});
  expect_error(kInvalid, {"operand 1", "(4, 3)", "(3, 4)"}, [&] { static_cast<void>(contraction({a, ones({4, 3})})); });
  expect_error(kInvalid, {"operand 0", "float32"}, [&] { static_cast<void>(contraction({ones<float>({2, 3}), b})); });
  expect_error(kInvalid, {"1 operand"}, [&] { static_cast<void>(contraction({a})); });
  expect_error(kInvalid, {"out shares memory with operand 0"}, [&] {
    const Tensor square = ones({3, 3});
    Contraction("ij,jk->ik", {square, square}).run_into({square, ones({3, 3})}, square.mutable_view());
  });
}

}  // namespace
}  // namespace trntensor
