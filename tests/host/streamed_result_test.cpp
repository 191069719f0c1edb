// Large results of matrix products, written past the caches: in whole lines, in bands of short rows, and not at all.
#include <gtest/gtest.h>

#include <vector>

#include "trntensor/host/executor.hpp"
#include "trntensor/host/streaming.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

struct StreamedCase {
  const char* name;
  std::int64_t inner_rows;  ///< rows that lie one behind the other
  std::int64_t columns;
  std::int64_t room;   ///< elements between groups of such rows
  std::int64_t shift;  ///< elements between the first one and a line
};

void PrintTo(const StreamedCase& test, std::ostream* out) { *out << test.name; }

constexpr std::int64_t kTerms = 3;

/// Rows (i, j) of a product of small whole numbers, so that every order of the sum gives the same bits.
template <typename T>
void check(const StreamedCase& test, DType dtype, int threads) {
  const std::int64_t group = test.inner_rows * test.columns + test.room;
  std::int64_t groups = 1;
  while (!is_worth_streaming_in_order(groups * test.inner_rows * test.columns * std::int64_t{sizeof(T)})) groups *= 2;
  const std::int64_t rows = groups * test.inner_rows;
  StepProblem problem;
  problem.accumulator = dtype;
  problem.a = {dtype, dtype, {{0, groups, test.inner_rows * kTerms}, {1, test.inner_rows, kTerms}, {3, kTerms, 1}}};
  problem.b = OperandLayout{dtype, dtype, {{3, kTerms, test.columns}, {2, test.columns, 1}}};
  problem.out = {dtype, dtype, {{0, groups, group}, {1, test.inner_rows, test.columns}, {2, test.columns, 1}}};
  std::vector<T> a(static_cast<std::size_t>(rows * kTerms));
  std::vector<T> b(static_cast<std::size_t>(kTerms * test.columns));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i % 17);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(i % 13);
  constexpr T kUntouched{-5};
  constexpr std::int64_t kLine = 64 / sizeof(T);
  std::vector<T> memory(static_cast<std::size_t>(groups * group + 3 * kLine), kUntouched);
  auto* out = reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 127) / 64 * 64) + test.shift;
  RunContext context;
  context.num_threads = threads;
  HostExecutor({"gemm", {}}).prepare(problem)->run(a.data(), b.data(), out, {2.0, 0.0}, context);
  std::int64_t wrong = 0;
  for (std::int64_t g = 0; g < groups; ++g) {
    const T* at = out + g * group;
    for (std::int64_t i = 0; i < test.inner_rows; ++i, at += test.columns) {
      const T* factors = a.data() + (g * test.inner_rows + i) * kTerms;
      for (std::int64_t j = 0; j < test.columns; ++j) {
        T sum{};
        for (std::int64_t p = 0; p < kTerms; ++p) sum += factors[p] * b[static_cast<std::size_t>(p * test.columns + j)];
        wrong += at[j] != 2 * sum;
      }
    }
    for (std::int64_t k = 0; k < test.room; ++k) wrong += at[k] != kUntouched;
  }
  EXPECT_EQ(wrong, 0) << threads << " threads";
  EXPECT_EQ(out[-1], kUntouched);
  EXPECT_EQ(out[groups * group], kUntouched);
}

class StreamedResults : public ::testing::TestWithParam<StreamedCase> {};

TEST_P(StreamedResults, AreComplete) {
  for (const int threads : {1, 2}) {
    check<double>(GetParam(), DType::kFloat64, threads);
    check<float>(GetParam(), DType::kFloat32, threads);
  }
}

constexpr StreamedCase kCases[] = {{"Lines", 1000, 96, 0, 0},
                                   {"LinesBesideLines", 1000, 96, 0, 1},
                                   {"Bands", 1000, 20, 0, 0},
                                   {"BandsBesideLines", 1000, 20, 0, 3},
                                   {"BandsWithRests", 1003, 21, 5, 2},
                                   {"NarrowBands", 2001, 3, 0, 1},
                                   {"RowsTooLongForBands", 64, 2003, 1, 1}};

INSTANTIATE_TEST_SUITE_P(Layouts, StreamedResults, ::testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace trntensor::host
