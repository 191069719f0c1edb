// Long sums keep the documented bounds of their errors on terms chosen to break them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/host/sum_problems.hpp"
#include "trntensor/host/blocking.hpp"
#include "trntensor/host/gemm_step.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/nest_step.hpp"
#include "trntensor/host/unary_step.hpp"
#include "trntensor/tensor/bfloat16.hpp"
#include "trntensor/tensor/dtype_traits.hpp"

namespace trntensor::testing {
namespace {

class SumBounds : public ::testing::TestWithParam<std::string> {};

/// A sum over the labels 0, 1, ... of an operand; labels from 100 on are kept.
struct LongSum {
  std::string name;
  std::vector<Axis> axes;
  bool of_products = true;  ///< with a vector of ones over the summed labels
  std::size_t misaligned_by = 0;
};

std::vector<LongSum> long_sums(std::int64_t k) {
  const std::int64_t rows = k / 640;
  return {
      {"one run", {{0, k, 1}}, true},
      {"one run of one operand", {{0, k, 1}}, false},
      {"four runs against one", {{100, 8, k}, {0, k, 1}}, true},
      {"runs of rows", {{100, 8, k}, {0, k, 1}}, false},
      {"short runs", {{0, k / 2, 3}, {1, 2, 1}}, true},
      {"short runs of one operand", {{0, k / 2, 3}, {1, 2, 1}}, false},
      {"runs that step", {{0, k / 32, 33}, {1, 32, 1}}, true},
      {"rows", {{0, k, 40}, {100, 40, 1}}, true},
      {"short rows", {{0, k, 3}, {100, 3, 1}}, false},
      {"short rows with gaps", {{0, k, 4}, {100, 3, 1}}, false},
      {"short rows in small groups", {{0, k / 5, 16}, {1, 5, 3}, {100, 3, 1}}, false},
      {"short rows in large groups", {{0, rows, 3 * 641}, {1, 640, 3}, {100, 3, 1}}, false},
      {"short rows out of line", {{101, 9, 2 * k}, {0, k, 2}, {100, 2, 1}}, false, 1},
  };
}

/// Runs one of these sums over `value`, the term with all summed indices 0 being `first`; gives all results.
template <typename T>
std::vector<T> run_long_sum(const LongSum& sum, T value, T first, const std::string& instruction_set,
                            std::string* how) {
  constexpr DType dtype = dtype_of<T>;
  OperandLayout a{dtype, dtype, {}};
  std::vector<std::pair<Label, std::int64_t>> summed;
  std::vector<std::pair<Label, std::int64_t>> kept;
  std::int64_t last = 0;
  std::vector<std::int64_t> firsts = {0};
  std::int64_t terms = 1;
  for (const Axis& axis : sum.axes) {
    a.axes.push_back(axis);
    last += (axis.extent - 1) * axis.stride;
    (axis.label < 100 ? summed : kept).emplace_back(axis.label, axis.extent);
    if (axis.label < 100) {
      terms *= axis.extent;
      continue;
    }
    std::vector<std::int64_t> more;
    for (const std::int64_t offset : firsts) {
      for (std::int64_t i = 0; i < axis.extent; ++i) more.push_back(offset + i * axis.stride);
    }
    firsts = more;
  }
  std::vector<T> values(static_cast<std::size_t>(last + 1), value);
  for (const std::int64_t offset : firsts) values[static_cast<std::size_t>(offset)] = first;
  std::vector<std::byte> memory(values.size() * sizeof(T) + sum.misaligned_by);
  std::memcpy(memory.data() + sum.misaligned_by, values.data(), values.size() * sizeof(T));
  const std::vector<T> ones(static_cast<std::size_t>(terms), T{1});
  std::vector<T> out(firsts.size());
  StepProblem problem{a, std::nullopt, packed(dtype, kept), dtype, false};
  if (sum.of_products) problem.b = packed(dtype, summed);
  const auto prepared = sum.of_products ? host::prepare_nest(host::classify(problem), instruction_set)
                                        : host::prepare_unary(problem, instruction_set);
  prepared->run(memory.data() + sum.misaligned_by, ones.data(), out.data(), {}, {});
  *how = sum.name + ": " + prepared->describe();
  return out;
}

// Every rounding of a running sum goes the same way for long stretches.
TEST_P(SumBounds, OfBiasedFloat32TermsKeepTheBoundThatARunningSumBreaks) {
  constexpr std::int64_t kTerms = 1'000'320;  // 320 * 3126
  for (const float value : {0.1F, 1.0F / 3.0F}) {
    const double exact = static_cast<double>(kTerms) * value;
    const double bound = stated_bound<float>(GetParam(), kTerms) * exact;
    float running = 0;
    for (std::int64_t i = 0; i < kTerms; ++i) running += value;
    EXPECT_GT(std::abs(running - exact), 10 * bound);
    for (const LongSum& sum : long_sums(kTerms)) {
      std::string how;
      for (const float result : run_long_sum(sum, value, value, GetParam(), &how)) {
        EXPECT_LE(std::abs(result - exact), bound) << how << ", " << value;
        EXPECT_LE(std::abs(result - exact), planned_bound<float>(kTerms) * exact) << how << ", " << value;
      }
    }
  }
}

// The worst case: the first term swallows every one that is added to it alone.
template <typename T>
void expect_bound_behind_a_large_term(const std::string& instruction_set) {
  using Real = decltype(std::abs(T{}));
  constexpr std::int64_t kTerms = 5120;
  const Real large = 2 / std::numeric_limits<Real>::epsilon();
  for (const LongSum& sum : long_sums(kTerms)) {
    std::string how;
    for (const T result : run_long_sum(sum, T{1}, T{large}, instruction_set, &how)) {
      const double error = static_cast<double>(std::abs(result - T{large})) - (kTerms - 1);
      EXPECT_LE(std::abs(error), stated_bound<T>(instruction_set, kTerms) * static_cast<double>(large)) << how;
      EXPECT_LE(std::abs(error), planned_bound<T>(kTerms) * static_cast<double>(large)) << how;
    }
  }
}

TEST_P(SumBounds, BehindALargeTermKeepTheBoundInEveryType) {
  expect_bound_behind_a_large_term<float>(GetParam());
  expect_bound_behind_a_large_term<double>(GetParam());
  expect_bound_behind_a_large_term<std::complex<float>>(GetParam());
  expect_bound_behind_a_large_term<std::complex<double>>(GetParam());
}

/// out[m, n] = sum over k of a[m, k], as a product with ones in the packed engine; a[m, 0] is `first`.
template <typename T>
std::vector<T> run_gemm_of_ones(std::int64_t k, T value, T first, const std::string& instruction_set) {
  constexpr DType dtype = dtype_of<T>;
  constexpr std::int64_t kSide = 13;
  std::vector<T> a(static_cast<std::size_t>(kSide * k), value);
  for (std::int64_t m = 0; m < kSide; ++m) a[static_cast<std::size_t>(m * k)] = first;
  const std::vector<T> ones(a.size(), T{1});
  std::vector<T> out(static_cast<std::size_t>(kSide * kSide));
  const StepProblem problem{packed(dtype, {{100, kSide}, {0, k}}), packed(dtype, {{0, k}, {101, kSide}}),
                            packed(dtype, {{100, kSide}, {101, kSide}}), dtype, false};
  const auto prepared = host::prepare_gemm(host::classify(problem), instruction_set);
  prepared->run(a.data(), ones.data(), out.data(), {}, {});
  return out;
}

// Blocks of KC terms, then block after block: (KC + ceil(k / KC)) eps.
template <typename T>
void expect_gemm_bound(const std::string& instruction_set) {
  using Real = decltype(std::abs(T{}));
  constexpr std::int64_t kTerms = 50'003;
  constexpr double kEps = std::numeric_limits<Real>::epsilon();
  const std::int64_t kc = host::largest_kc(host::choose_gemm_kernel(dtype_of<T>, false, instruction_set));
  EXPECT_GE(kc, plan::kLeastKc);
  EXPECT_LE(kc, plan::kMostKc);
  const double bound = static_cast<double>(kc + host::ceil_div(kTerms, kc)) * kEps;
  const Real large = 2 / std::numeric_limits<Real>::epsilon();
  const double exact = static_cast<double>(large) + (kTerms - 1);
  for (const T result : run_gemm_of_ones(kTerms, T{1}, T{large}, instruction_set)) {
    const double error = static_cast<double>(std::abs(result - T{large})) - (kTerms - 1);
    EXPECT_LE(std::abs(error), bound * exact);
    EXPECT_LE(std::abs(error), planned_bound<T>(kTerms) * exact);
  }
  const Real tenth = static_cast<Real>(0.1L);
  const double sum = kTerms * static_cast<double>(tenth);
  for (const T result : run_gemm_of_ones(kTerms, T{tenth}, T{tenth}, instruction_set)) {
    EXPECT_LE(std::abs(static_cast<double>(std::abs(result)) - sum), bound * sum);
    EXPECT_LE(std::abs(static_cast<double>(std::abs(result)) - sum), planned_bound<T>(kTerms) * sum);
  }
}

TEST_P(SumBounds, OfPackedProductsAreKept) {
  expect_gemm_bound<float>(GetParam());
  expect_gemm_bound<double>(GetParam());
  expect_gemm_bound<std::complex<float>>(GetParam());
  expect_gemm_bound<std::complex<double>>(GetParam());
}

// The same for sums of bfloat16, whose products may be added in pairs. Ones behind a term that swallows them.
TEST_P(SumBounds, OfPackedBfloat16AreKept) {
  constexpr std::int64_t kTerms = 20'003;
  constexpr std::int64_t kSide = 13;
  constexpr DType kBf16 = DType::kBFloat16;
  constexpr double kLarge = 0x1p24;
  std::vector<bfloat16> a(static_cast<std::size_t>(kSide * kTerms), bfloat16(1.0F));
  const std::vector<bfloat16> ones = a;
  for (std::int64_t m = 0; m < kSide; ++m) a[static_cast<std::size_t>(m * kTerms)] = bfloat16(kLarge);
  std::vector<float> out(static_cast<std::size_t>(kSide * kSide));
  const StepProblem problem{packed(kBf16, {{100, kSide}, {0, kTerms}}), packed(kBf16, {{0, kTerms}, {101, kSide}}),
                            packed(DType::kFloat32, {{100, kSide}, {101, kSide}}), DType::kFloat32, false};
  const host::BinaryProblem classified = host::classify(problem);
  host::prepare_gemm(classified, GetParam())->run(a.data(), ones.data(), out.data(), {}, {});
  const std::int64_t kc = host::largest_kc(host::choose_gemm_kernel(classified, GetParam()));
  EXPECT_GE(kc, plan::kLeastKc);
  EXPECT_LE(kc, plan::kMostKc);
  const double bound = static_cast<double>(kc + host::ceil_div(kTerms, kc)) * 0x1p-23;
  const double exact = kLarge + (kTerms - 1);
  for (const float result : out) {
    EXPECT_LE(std::abs(static_cast<double>(result) - exact), bound * exact);
    EXPECT_LE(std::abs(static_cast<double>(result) - exact), planned_bound<float>(kTerms) * exact);
  }
}

// What a plan says of a sum it says for every route, before one is chosen. Routes state the errors of parts.
template <typename T>
void expect_plans_to_count_on_routes(const std::string& instruction_set) {
  using Real = decltype(std::abs(T{}));
  const double modulus = std::is_same_v<T, Real> ? 1 : std::sqrt(2.0);
  constexpr double kUnit = std::numeric_limits<Real>::epsilon() / 2;
  const std::int64_t kc = host::largest_kc(host::choose_gemm_kernel(dtype_of<T>, false, instruction_set));
  for (const std::int64_t k : {100'000, 1'000'003, 100'000'000}) {
    EXPECT_LE(modulus * stated_bound<T>(instruction_set, k), planned_bound<T>(k)) << k;
    EXPECT_LE(modulus * static_cast<double>(kc + host::ceil_div(k, kc)) * 2 * kUnit, planned_bound<T>(k)) << k;
  }
  const double uncut = static_cast<double>(plan::kMostUncutTerms) * (std::is_same_v<T, Real> ? 1 : 2);
  EXPECT_LE(modulus * uncut * kUnit, planned_bound<T>(plan::kMostUncutTerms));
}

TEST_P(SumBounds, AreCountedOnByPlans) {
  expect_plans_to_count_on_routes<float>(GetParam());
  expect_plans_to_count_on_routes<double>(GetParam());
  expect_plans_to_count_on_routes<std::complex<float>>(GetParam());
  expect_plans_to_count_on_routes<std::complex<double>>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SumBounds, ::testing::ValuesIn(host_kernel_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace trntensor::testing
