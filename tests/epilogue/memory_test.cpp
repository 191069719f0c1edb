// What an epilogue takes from the heap: blocks, one array a reduction, packed operands; nothing of the size of the
// contraction's result, and no copy of a tensor.
#include <gtest/gtest.h>

#include "tests/common/expect_error.hpp"
#include "tests/dispatch/counted_memory.hpp"
#include "trntensor/dispatch/epilogue.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::sum;
using testing::expect_error;
using testing::taken_by;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// The contraction's result has 106 MiB.
constexpr std::int64_t kOccupied = 24;
constexpr std::int64_t kVirtual = 220;

EpilogueResults run_reduced(std::string_view over, std::int64_t memory_limit, int threads = 1) {
  const Tensor a = Tensor::full({kOccupied, kVirtual, 8}, 0.5, DType::kFloat32);
  const Tensor b = Tensor::full({kOccupied, kVirtual, 8}, 0.5, DType::kFloat32);
  const std::vector<TensorView> operands{a, b};
  const std::vector<Expression> formula{sum(over, element() * element())};
  EpilogueOptions options{.num_threads = threads};
  if (memory_limit > 0) options.memory_limit = memory_limit;
  return einsum_with_epilogues("iaP,jbP->iajb", operands, formula, {}, options);
}

TEST(EpilogueMemory, SumsOverShortLabelsShareTheirArrays) {
  constexpr std::int64_t kArray = kOccupied * kVirtual * kVirtual * 8;  // 9 MiB, the result half of that
  for (const std::int64_t limit : {std::int64_t{0}, 12 * kMiB}) {
    for (const char* const over : {"i", "j"}) {
      EpilogueResults results;
      const std::int64_t bytes = taken_by([&] { results = run_reduced(over, limit); }).bytes;
      EXPECT_LE(bytes, 2 * kArray + kArray / 2 + 20 * kMiB) << over << ": " << results.route;
      EXPECT_GE(results.block_bytes, kArray) << over;
      EXPECT_EQ(results.tensors[0].at<float>({3, 4, 5}), 24 * 4.0F) << over;
      EXPECT_LE(results.block_bytes, limit > 0 ? limit : 3 * kArray) << over;
    }
  }
}

TEST(EpilogueMemory, ArraysOfSumsCountAgainstTheLimit) {
  constexpr std::int64_t kLeast = kOccupied * kVirtual * kVirtual * 8 + 4;
  expect_error(ErrorKind::kOutOfMemory, {"and its sums need", "(9292804 bytes)", "grant at least 9292804 bytes"},
               [] { run_reduced("j", kLeast - 1); });
  for (const int threads : {1, 3}) {
    const EpilogueResults results = run_reduced("ab", 4 * kMiB, threads);
    EXPECT_LE(results.block_bytes, 4 * kMiB);
    EXPECT_EQ(results.tensors[0].at<float>({23, 23}), 220 * 220 * 4.0F);
  }
}

}  // namespace
}  // namespace trntensor
