// What an epilogue takes from the heap: blocks, one array a reduction, packed operands; nothing of the size of the
// contraction's result, and no copy of a tensor.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "tests/common/expect_error.hpp"
#include "tests/dispatch/counted_memory.hpp"
#include "trntensor/dispatch/epilogue.hpp"

namespace trntensor {
namespace {

using epilogue::element;
using epilogue::max;
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

/// w[i,j] = (7 i + 3 j) mod 11 - 5 in some type and layout.
Tensor weights(std::int64_t n, DType dtype) {
  const Tensor w = Tensor::empty({n, n}, DType::kFloat32);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) w.data_as<float>()[i * n + j] = static_cast<float>((7 * i + 3 * j) % 11 - 5);
  }
  return w.astype(dtype);
}

TEST(EpilogueMemory, TensorsAreNotCopiedForWhatTheEndEvaluates) {
  constexpr std::int64_t kRows = 1500;
  const Tensor a = Tensor::full({kRows, 2}, 0.5, DType::kFloat32);
  const Expression w = epilogue::tensor("w", "ij");
  const Expression v = epilogue::tensor("w", "ji");
  const Expression formula = sum("ij", element()) * sum("ij", w * w + 2 * v) + max("ij", v - w);
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kInt8, DType::kBFloat16}) {
    const Tensor contiguous = weights(kRows, dtype);
    const double wanted = [&] {
      double sums = 0;
      double largest = 0;
      const auto at = [](std::int64_t i, std::int64_t j) { return static_cast<double>((7 * i + 3 * j) % 11 - 5); };
      for (std::int64_t i = 0; i < kRows; ++i) {
        for (std::int64_t j = 0; j < kRows; ++j) {
          sums += at(i, j) * at(i, j) + 2 * at(j, i);
          largest = std::max(largest, std::abs(at(j, i) - at(i, j)));
        }
      }
      return static_cast<double>(kRows * kRows) * 0.5 * sums + largest;
    }();
    for (const Tensor& layout : {contiguous, contiguous.permute({1, 0}), contiguous.reverse(0).reverse(1)}) {
      Tensor result;
      const std::int64_t bytes =
          taken_by([&] {
            result = einsum_with_epilogue("ik,jk->ij", {a, a}, formula, {{"w", layout}},
                                          {.dtype = DType::kFloat64, .memory_limit = kMiB, .num_threads = 1});
          }).bytes;
      EXPECT_LE(bytes, 4 * kMiB) << to_string(dtype);
      EXPECT_EQ(result.item<double>(), wanted) << to_string(dtype);  // whole numbers; the same in every layout
    }
  }
}

TEST(EpilogueMemory, TensorsThatBroadcastAreReadInPlaceToo) {
  const Tensor a = Tensor::full({300, 2}, 0.5, DType::kFloat64);
  const Tensor row = weights(300, DType::kFloat32).slice(0, 3, 4);
  const Expression w = epilogue::tensor("w", "ij");
  const Tensor doubled = einsum_with_epilogue("ik,jk->ij", {a, a}, 2 * w, {{"w", row}});
  ASSERT_EQ(doubled.shape(), Shape({300, 300}));
  const auto got = doubled.to_vector<double>();
  for (std::int64_t i = 0; i < 300; ++i) {
    for (std::int64_t j = 0; j < 300; ++j) {
      ASSERT_EQ(got[static_cast<std::size_t>(i * 300 + j)], static_cast<double>(2 * ((21 + 3 * j) % 11 - 5)));
    }
  }
}

// Whichever allocation is refused, also a worker's first: the others stop at the next block.
TEST(EpilogueMemory, AWorkerWithoutMemoryEndsTheWorkOfAll) {
  const Tensor a = Tensor::full({2000, 16}, 0.5, DType::kFloat64);
  int refusals = 0;
  for (std::int64_t granted = 0;; ++granted) {
    std::int64_t done = 0;
    std::int64_t total = 1;
    EpilogueOptions options{.memory_limit = 2 * kMiB, .num_threads = 3};
    options.progress = [&](std::int64_t now, std::int64_t of) {
      done = now;
      total = of;
      // Whoever is refused memory has time to say so before the others go on.
      for (int k = 0; done == 1 && k < 100 && !testing::was_refused(); ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      if (done == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    testing::refuse_aligned_after(granted);
    try {
      einsum_with_epilogue("ik,jk->ij", {a, a}, sum("ij", element()), {}, options);
    } catch (const Error& error) {
      EXPECT_EQ(to_string(error.kind()), to_string(ErrorKind::kOutOfMemory)) << error.what();
    }
    const bool refused = testing::was_refused();
    testing::refuse_aligned_after(std::numeric_limits<std::int64_t>::max());
    if (!refused) break;
    ++refusals;
    EXPECT_LE(done, 6) << "of " << total << " with " << granted << " granted";
  }
  EXPECT_GE(refusals, 2) << "the array of the sum, and the blocks of a worker";
}

}  // namespace
}  // namespace trntensor
