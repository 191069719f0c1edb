// No operand is copied to suit a kernel, and no result before it is written, whatever the strides and the types: of
// what a call takes from the heap, the result apart, there is no more than its workspace.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/dispatch/counted_memory.hpp"
#include "trntensor/dispatch/einsum.hpp"

namespace trntensor {
namespace {

using testing::taken_by;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// The most that packed blocks take for each thread: 8 MiB of one operand, half the L2 cache of the other, lists of
/// offsets.
constexpr std::int64_t kPacked = 12 * kMiB;
/// The same where the result cannot hold the sums, being narrower: 16 MiB of them wait for the next block of k.
constexpr std::int64_t kPackedAndSums = kPacked + 16 * kMiB;

/// What of a tensor is the operand, and how it lies in memory.
using Layout = std::function<TensorView(const Tensor& memory)>;

struct Operand {
  DType dtype = DType::kFloat64;
  Shape memory;
  Layout view = [](const Tensor& tensor) { return tensor.view(); };
};

struct Sample {
  std::string name;
  std::string subscripts;
  std::vector<Operand> operands;
  std::int64_t workspace = kPacked;  ///< bytes a thread may take
  DType out_dtype = DType::kFloat64;
  bool large_result = false;  ///< the result is what would be copied, not the first operand
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name << " " << sample.subscripts; }

TensorView transposed(const Tensor& tensor) { return tensor.view().permute({1, 0}); }

/// Every second element of both axes.
TensorView stepped(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  return tensor.view().slice(0, 0, shape[0], 2).slice(1, 0, shape[1], 2);
}

TensorView backwards(const Tensor& tensor) { return tensor.view().reverse(0).reverse(1); }

constexpr DType kF64 = DType::kFloat64;
constexpr DType kF32 = DType::kFloat32;
constexpr DType kBf16 = DType::kBFloat16;
constexpr DType kF16 = DType::kFloat16;

// Each has an operand or a result of 64 MiB, or of as much when it is converted.

std::vector<Sample> layouts() {
  const Operand thin{kF64, {4096, 48}};
  return {
      {"Plain", "ij,jk->ik", {{kF64, {2048, 4096}}, thin}},
      {"Transposed", "ij,jk->ik", {{kF64, {4096, 2048}, transposed}, thin}},
      {"TransposedResult", "ij,jk->ki", {{kF64, {2048, 4096}}, thin}},
      {"BothTransposed", "ij,jk->ik", {{kF64, {4096, 2048}, transposed}, {kF64, {48, 4096}, transposed}}},
      {"Stepped", "ij,jk->ik", {{kF64, {4096, 8192}, stepped}, thin}},
      {"Backwards", "ij,jk->ik", {{kF64, {2048, 4096}, backwards}, thin}},
      {"ManyColumns", "ij,jk->ik", {{kF64, {48, 2048}}, {kF64, {4096, 2048}, transposed}}},
      {"Batched", "bij,bjk->bik", {{kF64, {32, 512, 512}}, {kF64, {32, 512, 24}}}},
      {"BatchInTheMiddle", "ibj,jbk->kbi", {{kF64, {512, 32, 512}}, {kF64, {512, 32, 24}}}},
      {"BatchInnermost", "ijb,jkb->ikb", {{kF64, {128, 2048, 32}}, {kF64, {2048, 24, 32}}}},
      {"SummedInTheMiddle", "adb,cd->cba", {{kF64, {200, 210, 200}}, {kF64, {24, 210}}}},
      {"TwoSummedApart", "dacb,ced->aeb", {{kF64, {32, 512, 32, 16}}, {kF64, {32, 24, 32}}}},
      {"PermutedResult", "abe,ecd->dbca", {{kF64, {24, 48, 20}}, {kF64, {20, 64, 120}}}, kPacked, kF64, true},
      {"BatchedOuterProduct", "abc,cd->dbca", {{kF64, {24, 48, 64}}, {kF64, {64, 120}}}, kPacked, kF64, true},
      {"OuterProduct", "ab,cd->cadb", {{kF64, {64, 48}}, {kF64, {64, 48}}}, kPacked, kF64, true},
      {"Elementwise", "abc,bca->cab", {{kF64, {200, 210, 200}}, {kF64, {210, 200, 200}}}},
      {"Dot", "abc,cba->", {{kF64, {200, 210, 200}}, {kF64, {200, 210, 200}}}},
      {"MatrixVector", "ji,j->i", {{kF64, {2048, 4096}}, {kF64, {2048}}}},
      {"Move", "abc->cba", {{kF64, {200, 210, 200}}}},
      {"Sum", "abc->b", {{kF64, {200, 210, 200}}}},
  };
}

std::vector<Sample> types() {
  return {
      {"Float32", "ij,jk->ik", {{kF32, {4096, 4096}, transposed}, {kF32, {4096, 48}}}, kPacked, kF32},
      {"UnevenBoxes", "mk,kopq->moqp", {{kF32, {64, 512}}, {kF32, {512, 120, 47, 7}}}, kPacked, kF32},
      {"Complex",
       "ij,jk->ki",
       {{DType::kComplex128, {2048, 2048}, transposed}, {DType::kComplex128, {2048, 24}}},
       kPacked,
       DType::kComplex128},
      {"Integers", "ij,jk->ik", {{DType::kInt64, {2048, 4096}}, {DType::kInt64, {4096, 24}}}, kPacked, DType::kInt64},
      {"BFloat16ToFloat32", "ij,jk->ik", {{kBf16, {4096, 4096}}, {kF32, {4096, 48}}}, kPacked, kF32},
      {"BFloat16", "ij,jk->ik", {{kBf16, {4096, 4096}, transposed}, {kBf16, {4096, 48}}}, kPacked, kBf16},
      {"Float16", "ij,jk->ki", {{kF16, {4096, 4096}}, {kF16, {4096, 48}}}, kPacked, kF16},
      {"Float16Stepped", "ij,jk->ik", {{kF16, {8192, 8192}, stepped}, {kF16, {4096, 48}}}, kPacked, kF16},
      {"Float16LargeResult", "ij,jk->ki", {{kF16, {4096, 520}}, {kF16, {520, 4096}}}, kPackedAndSums, kF16, true},
      {"Float8",
       "ij,jk->ik",
       {{DType::kFloat8E4M3, {4096, 4096}}, {DType::kFloat8E4M3, {4096, 48}}},
       kPacked,
       DType::kFloat8E4M3},
      {"Float32ToFloat64", "ij,jk->ik", {{kF32, {2048, 4096}}, {kF64, {4096, 48}}}},
  };
}

/// Operands that are there, and what a call takes.
class Trial {
 public:
  explicit Trial(const Sample& sample) : sample_(sample) {
    for (const Operand& operand : sample.operands) {
      memory_.push_back(Tensor::full(operand.memory, 1.0, operand.dtype));
      views_.push_back(operand.view(memory_.back()));
    }
  }

  [[nodiscard]] const std::vector<TensorView>& views() const { return views_; }

  /// Bytes of what would be copied, as they would be in the type that is computed in.
  [[nodiscard]] std::int64_t largest_copy(const Tensor& result) const {
    std::int64_t elements = sample_.large_result ? result.size() : 0;
    if (!sample_.large_result) {
      for (const TensorView& view : views_) elements = std::max(elements, view.size());
    }
    return elements * static_cast<std::int64_t>(size_of(accumulator_type(sample_.out_dtype)));
  }

  /// Of einsum by a thread that has no workspace yet, without the result.
  std::int64_t bytes_beyond_result(int threads) {
    std::int64_t bytes = 0;
    std::thread([&] {
      Tensor result;
      bytes = taken_by([&] { result = einsum(sample_.subscripts, views_, {.num_threads = threads}); }).bytes;
      const std::int64_t of_result = result.size() * static_cast<std::int64_t>(size_of(result.dtype()));
      EXPECT_EQ(result.dtype(), sample_.out_dtype);
      EXPECT_GE(bytes, of_result);
      EXPECT_GT(largest_copy(result), threads * sample_.workspace) << "a copy would not be seen";
      bytes -= of_result;
    }).join();
    return bytes;
  }

 private:
  const Sample& sample_;
  std::vector<Tensor> memory_;
  std::vector<TensorView> views_;
};

class Temporaries : public ::testing::TestWithParam<Sample> {};

TEST_P(Temporaries, NoneIsAsLargeAsAnOperand) {
  Trial trial(GetParam());
  for (const int threads : {1, 2}) {
    const std::int64_t bytes = trial.bytes_beyond_result(threads);
    EXPECT_LE(bytes, threads * GetParam().workspace) << threads << " threads";
    RecordProperty("bytes_" + std::to_string(threads), std::to_string(bytes));
    if (::testing::Test::HasFailure()) break;
  }
}

TEST_P(Temporaries, APreparedContractionTakesNone) {
  const Trial trial(GetParam());
  const Contraction contraction(GetParam().subscripts, trial.views(), {.num_threads = 1});
  const Tensor out = contraction(trial.views());
  EXPECT_EQ(taken_by([&] { contraction.run_into(trial.views(), out.mutable_view()); }).bytes, 0);
}

constexpr auto kName = [](const auto& instance) { return instance.param.name; };
INSTANTIATE_TEST_SUITE_P(Layouts, Temporaries, ::testing::ValuesIn(layouts()), kName);
INSTANTIATE_TEST_SUITE_P(Types, Temporaries, ::testing::ValuesIn(types()), kName);

// What the others rely on.
TEST(TemporariesCount, SeesAnIntermediateTensor) {
  const Tensor a = Tensor::full({2048, 2048}, 1.0, kF64);
  const Tensor b = Tensor::full({2048, 32}, 1.0, kF64);
  const Tensor c = Tensor::full({32, 2048}, 1.0, kF64);
  const auto contract = [&](const ContractionPath& path) {
    return taken_by([&] { static_cast<void>(einsum("ij,jk,kl->il", {a, b, c}, {.path = path})); }).bytes;
  };
  const std::int64_t result = a.size() * 8;
  EXPECT_GE(contract({{1, 2}, {0, 1}}), 2 * result) << "b times c is as large as a";
  EXPECT_LE(contract({{0, 1}, {0, 1}}), result + 2 * kPacked) << "a times b is small";
}

TEST(TemporariesCount, SeesACopy) {
  const Tensor a = Tensor::full({2048, 2048}, 1.0, kF64);
  EXPECT_GE(taken_by([&] { static_cast<void>(einsum("ij->ji", {a})); }).bytes, a.size() * 8);
}

}  // namespace
}  // namespace trntensor
