// Kernels of pairs of bfloat16: packing from any strides, tiles and their rests, odd numbers of terms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/host/half_operands.hpp"
#include "tests/host/step_types.hpp"
#include "trntensor/host/gemm_step.hpp"
#include "trntensor/host/kernels/bf16_rate.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/cpu_features.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/bfloat16.hpp"

namespace trntensor::testing {
namespace {

using host::BlockIndex;
using host::GemmKernel;

/// Those of this CPU.
std::vector<const GemmKernel*> pair_kernels() {
  std::vector<const GemmKernel*> kernels;
  for (const GemmKernel& kernel : host::gemm_kernels()) {
    if (kernel.terms == 2) kernels.push_back(&kernel);
  }
  return kernels;
}

/// Packs `lanes` of them from lane `first` on, `terms` each, and compares all pairs.
void expect_packed(const HalfOperand& operand, host::PackPanels pack, std::int64_t width, std::int64_t first,
                   std::int64_t lanes, std::int64_t terms) {
  const std::int64_t steps = (terms + 1) / 2;
  const std::int64_t panels = (lanes + width - 1) / width;
  const std::int64_t pairs = panels * width * steps;
  const AlignedBuffer panel = allocate_aligned(place(pairs + 1) * sizeof(std::uint32_t));
  auto* got = reinterpret_cast<std::uint32_t*>(panel.get());
  constexpr std::uint32_t kUntouched = 0x7fc17fc1;
  for (std::int64_t i = 0; i <= pairs; ++i) got[i] = kUntouched;
  BlockIndex step_index = operand.step_index;
  step_index.count = terms;
  pack({panel.get(), operand.source(), &operand.lane_index, &step_index, first, lanes});
  for (std::int64_t lane = 0; lane < panels * width; ++lane) {
    for (std::int64_t p = 0; p < 2 * steps; ++p) {
      const std::uint32_t pair = got[(lane / width * steps + p / 2) * width + lane % width];
      const std::uint32_t term = p % 2 == 0 ? pair & 0xffffU : pair >> 16;
      const std::uint32_t expected = lane < lanes && p < terms ? operand.bits(first + lane, p) : 0U;
      ASSERT_EQ(term, expected) << "lane " << lane << ", term " << p;
    }
  }
  EXPECT_EQ(got[pairs], kUntouched) << "written beyond the last panel";
}

TEST(PairKernels, PackPairsFromAnyStrides) {
  for (const GemmKernel* kernel : pair_kernels()) {
    for (const HalfOperand& operand : half_operands()) {
      for (const std::int64_t terms : {0, 1, 2, 3, 8, 41, 44}) {
        for (const std::int64_t lanes : {1, 5, 8, 31, 48, 96, 100}) {
          SCOPED_TRACE(kernel->name + ", strides " + std::to_string(operand.lane_index.inner_stride) + " and " +
                       std::to_string(operand.step_index.inner_stride) + ", terms " + std::to_string(terms) +
                       ", lanes " + std::to_string(lanes));
          expect_packed(operand, kernel->functions.pack_a, kernel->functions.mr, kMostLanes - lanes, lanes, terms);
          expect_packed(operand, kernel->functions.pack_b, kernel->functions.nr, 1, std::min(lanes, kMostLanes - 1),
                        terms);
        }
      }
    }
  }
}

/// Boxes of lanes, `across` side by side in memory, `along` far apart, as cut_into_boxes orders them.
struct Boxes {
  Boxes(std::int64_t lanes_across, std::int64_t lanes_along, std::int64_t count)
      : across(lanes_across), along(lanes_along) {
    constexpr std::int64_t kStepStride = 300;
    constexpr std::int64_t kLaneStride = kStepStride * kMostTerms + 1;
    for (std::int64_t i = 0; i < count * across * along; ++i) {
      const std::int64_t box = i / (across * along);
      lanes.push_back((box * along + i % along) * kLaneStride + i / along % across);
    }
    for (std::int64_t p = 0; p < kMostTerms; ++p) steps.push_back(p * kStepStride);
    Random random(6);
    memory.resize(place(lanes.back() + steps.back() + 2));
    for (std::uint16_t& element : memory) element = static_cast<std::uint16_t>(random.integer(0, 0xffff));
    lane_index = {lanes.data(), static_cast<std::int64_t>(lanes.size()), 0, along, kLaneStride};
    step_index = {steps.data(), kMostTerms, 0, kMostTerms, kStepStride};
  }

  std::int64_t across, along;
  std::vector<std::int64_t> lanes, steps;
  std::vector<std::uint16_t> memory;
  BlockIndex lane_index, step_index;
};

/// Boxes are packed to what their lanes give one by one.
void expect_packed_alike(const Boxes& boxes, host::PackBoxes pack_boxes, host::PackPanels pack, std::int64_t width,
                         std::int64_t terms) {
  BlockIndex steps = boxes.step_index;
  steps.count = terms;
  const std::int64_t lanes = boxes.lane_index.count;
  const std::size_t pairs = place((lanes + width - 1) / width * width * ((terms + 1) / 2));
  std::vector<std::uint32_t> expected(pairs + 1, 77);
  std::vector<std::uint32_t> got = expected;
  const std::uint16_t* source = boxes.memory.data() + 1;
  pack({expected.data(), source, &boxes.lane_index, &steps, 0, lanes});
  pack_boxes({got.data(), source, &boxes.lane_index, &steps, 0, lanes, boxes.across, boxes.along});
  ASSERT_EQ(got, expected) << boxes.across << " across, " << boxes.along << " along, terms " << terms << ", width "
                           << width;
}

TEST(PairKernels, PackBoxesAsTheirLanes) {
  for (const GemmKernel* kernel : pair_kernels()) {
    const host::KernelFunctions& functions = kernel->functions;
    for (const std::int64_t across :
         {std::int64_t{1}, std::int64_t{5}, std::int64_t{8}, std::int64_t{19}, host::kMostAcross}) {
      for (const std::int64_t along : {3, 8, 48}) {
        const Boxes boxes(across, along, 2);
        for (const std::int64_t terms : {1, 2, 7, 44}) {
          expect_packed_alike(boxes, functions.box_a, functions.pack_a, functions.mr, terms);
          expect_packed_alike(boxes, functions.box_b, functions.pack_b, functions.nr, terms);
        }
      }
    }
  }
}

/// A tile whose rows lie backwards, with room between the half vectors, from packed operands.
class Tile {
 public:
  Tile(const GemmKernel& kernel, const HalfOperand& a, const HalfOperand& b, std::int64_t terms)
      : kernel_(kernel), a_(a), b_(b), terms_(terms) {
    const host::KernelFunctions& functions = kernel.functions;
    const std::int64_t piece = functions.column_step / 2;
    for (std::int64_t j = 0; j < functions.nr / piece; ++j) pieces_.push_back(j * 2 * piece);
    for (std::int64_t i = 0; i < functions.mr; ++i) rows_.push_back((functions.mr - 1 - i) * 2 * functions.nr);
    const std::int64_t steps = kernel.steps(terms);
    a_panel_ = allocate_aligned(place(functions.mr * steps + 1) * sizeof(float));
    b_panel_ = allocate_aligned(place(functions.nr * steps + 1) * sizeof(float));
    c_ = allocate_aligned(place(size()) * sizeof(float));
    BlockIndex a_steps = a.step_index;
    BlockIndex b_steps = b.step_index;
    a_steps.count = b_steps.count = terms;
    functions.pack_a({a_panel_.get(), a.source(), &a.lane_index, &a_steps, 0, functions.mr});
    functions.pack_b({b_panel_.get(), b.source(), &b.lane_index, &b_steps, 0, functions.nr});
  }

  /// Computes a part of the tile and compares everything. Whole numbers: every order of the sum gives the same bits.
  void check(std::int64_t rows, std::int64_t columns, float beta, bool is_streamed) {
    constexpr float kAlpha = 2;
    auto* c = reinterpret_cast<float*>(c_.get());
    std::fill(c, c + size(), kUntouched);
    host::KernelArgs args;
    args.k = kernel_.steps(terms_);
    args.a = a_panel_.get();
    args.b = b_panel_.get();
    args.b_step = kernel_.functions.nr;
    args.c = c;
    args.rows = rows_.data();
    args.pieces = pieces_.data();
    args.row_count = rows;
    args.column_count = columns;
    args.is_streamed = is_streamed;
    args.alpha = &kAlpha;
    args.beta = &beta;
    kernel_.functions.for_columns(columns)(args);
    std::vector<float> expected(place(size()), kUntouched);
    const std::int64_t piece = kernel_.functions.column_step / 2;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        float& value = expected[place(rows_[place(i)] + pieces_[place(j / piece)] + j % piece)];
        value = kAlpha * sum(i, j) + beta * value;
      }
    }
    EXPECT_EQ(std::vector<float>(c, c + size()), expected)
        << kernel_.name << ", " << rows << " x " << columns << " x " << terms_;
  }

 private:
  static constexpr float kUntouched = 77;

  [[nodiscard]] std::int64_t size() const { return 2 * std::int64_t{kernel_.functions.mr} * kernel_.functions.nr; }
  [[nodiscard]] float sum(std::int64_t row, std::int64_t column) const {
    float result = 0;
    for (std::int64_t p = 0; p < terms_; ++p) {
      result += static_cast<float>(bfloat16::from_bits(a_.bits(row, p))) *
                static_cast<float>(bfloat16::from_bits(b_.bits(column, p)));
    }
    return result;
  }

  const GemmKernel& kernel_;
  const HalfOperand& a_;
  const HalfOperand& b_;
  std::int64_t terms_;
  std::vector<std::int64_t> rows_, pieces_;
  AlignedBuffer a_panel_, b_panel_, c_;
};

TEST(PairKernels, WriteTheirPartOfATileAndNothingElse) {
  Random random(4);
  const HalfOperand a(1, 1000, 200, 1000, random);
  const HalfOperand b(100, 1000, 1, 1000, random);
  for (const GemmKernel* kernel : pair_kernels()) {
    const host::KernelFunctions& functions = kernel->functions;
    for (const std::int64_t terms : {0, 1, 2, 37, 44}) {
      Tile tile(*kernel, a, b, terms);
      const std::int64_t piece = functions.column_step / 2;
      for (std::int64_t columns = 1; columns <= functions.nr; ++columns) {
        if (columns % functions.column_step > piece) continue;  // the rest would have to lie side by side
        for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{functions.mr}}) {
          tile.check(rows, columns, 0, false);
          tile.check(rows, columns, 3, false);
          if (columns % piece == 0) tile.check(rows, columns, 0, true);
        }
      }
    }
  }
}

/// m x k by k x n, C order, all of bfloat16; sums to float32.
StepProblem product(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr DType kBf16 = DType::kBFloat16;
  StepProblem problem;
  problem.a = {kBf16, kBf16, {{0, m, k}, {2, k, 1}}};
  problem.b = OperandLayout{kBf16, kBf16, {{2, k, n}, {1, n, 1}}};
  problem.accumulator = DType::kFloat32;
  problem.out = {DType::kFloat32, DType::kFloat32, {{0, m, n}, {1, n, 1}}};
  return problem;
}

TEST(PairKernels, RunWhereOperandsAreStoredAsBfloat16AndSumsArePlain) {
  if (pair_kernels().empty()) GTEST_SKIP() << "this CPU has no dot product of bfloat16";
  const auto kernel_of = [](const StepProblem& step) {
    return host::choose_gemm_kernel(host::classify(step), "avx512_bf16").name;
  };
  const std::string of_pairs = pair_kernels().front()->name;
  const std::string of_floats = host::choose_gemm_kernel(DType::kFloat32, 0, "avx512_bf16").name;
  StepProblem problem = product(20, 30, 40);
  EXPECT_EQ(kernel_of(problem), of_pairs);
  EXPECT_NE(host::prepare_gemm(host::classify(problem), "avx512_bf16")->describe().find(of_pairs), std::string::npos);
  EXPECT_EQ(host::choose_gemm_kernel(host::classify(problem), "avx3").name, of_floats);
  EXPECT_EQ(host::choose_gemm_kernel(host::classify(problem), "auto").name,
            host::bf16_dot_products_pay() ? of_pairs : of_floats);
  problem.keeps_subnormals = true;
  EXPECT_EQ(kernel_of(problem), of_floats);
  problem.keeps_subnormals = false;
  problem.b->load_as = DType::kFloat32;  // which rounds nothing
  EXPECT_EQ(kernel_of(problem), of_pairs);
  problem.b->load_as = DType::kFloat16;
  EXPECT_EQ(kernel_of(problem), of_floats);
  problem.b->load_as = problem.b->dtype = DType::kFloat16;
  EXPECT_EQ(kernel_of(problem), of_floats);
  problem.b->load_as = problem.b->dtype = DType::kBFloat16;
  problem.a.dtype = DType::kFloat32;  // rounded when it is loaded
  EXPECT_EQ(kernel_of(problem), of_floats);
  problem.a.dtype = DType::kBFloat16;
  problem.accumulator = DType::kFloat64;
  EXPECT_EQ(kernel_of(problem), host::choose_gemm_kernel(DType::kFloat64, 0, "avx512_bf16").name);
}

TEST(PairKernels, AreForcedOnlyWhereTheCpuHasThem) {
  if (has_avx512_bf16()) GTEST_SKIP() << "this CPU has dot products of bfloat16";
  EXPECT_THROW(static_cast<void>(host::choose_gemm_kernel(DType::kFloat32, 0, "avx512_bf16")), Error);
  EXPECT_FALSE(host::bf16_dot_products_pay());
}

// What docs/precision.md says of the instruction: subnormal elements and sums count as zero.
TEST(PairKernels, TakeSubnormalNumbersAsZero) {
  if (pair_kernels().empty()) GTEST_SKIP() << "this CPU has no dot product of bfloat16";
  constexpr std::int64_t kSide = 20;
  const auto element = [&](float a, float b, const char* kernel) {
    const std::vector<bfloat16> x(place(kSide), bfloat16(a));
    const std::vector<bfloat16> y(place(kSide), bfloat16(b));
    std::vector<float> out(place(kSide * kSide), -1);
    host::prepare_gemm(host::classify(product(kSide, kSide, 1)), kernel)->run(x.data(), y.data(), out.data(), {}, {});
    return out[0];
  };
  EXPECT_EQ(element(0x1p-127F, 0x1p100F, "avx512_bf16"), 0);
  EXPECT_EQ(element(0x1p-127F, 0x1p100F, "avx3"), 0x1p-27F);
  EXPECT_EQ(element(0x1p-70F, 0x1p-70F, "avx512_bf16"), 0);
  EXPECT_EQ(element(0x1p-70F, 0x1p-70F, "avx3"), 0x1p-140F);
  EXPECT_EQ(element(0x1p-126F, 1, "avx512_bf16"), 0x1p-126F);
}

// And what that can take from a sum: at most 2^-126 (1 + |a| + |b|) for each term, besides the roundings.
TEST(PairKernels, TakeNoMoreFromSubnormalNumbersThanDocumented) {
  if (pair_kernels().empty()) GTEST_SKIP() << "this CPU has no dot product of bfloat16";
  constexpr std::int64_t kRows = 20;
  constexpr std::int64_t kColumns = 50;
  constexpr std::int64_t kTerms = 37;
  struct Exponents {
    int a_least, a_most, b_least, b_most;
  };
  // Elements, products, and sums that are subnormal.
  for (const Exponents& range : {Exponents{-133, -120, -5, 90}, Exponents{-70, -58, -70, -58}}) {
    Random random(8);
    const auto number = [&](int least, int most) {
      const double digits = random.uniform(1, 2) * (random.integer(0, 1) == 0 ? 1 : -1);
      return bfloat16(static_cast<float>(std::ldexp(digits, static_cast<int>(random.integer(least, most)))));
    };
    std::vector<bfloat16> a(place(kRows * kTerms));
    std::vector<bfloat16> b(place(kTerms * kColumns));
    for (bfloat16& value : a) value = number(range.a_least, range.a_most);
    for (bfloat16& value : b) value = number(range.b_least, range.b_most);
    std::vector<float> out(place(kRows * kColumns));
    host::prepare_gemm(host::classify(product(kRows, kColumns, kTerms)), "avx512_bf16")
        ->run(a.data(), b.data(), out.data(), {}, {});
    for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
      long double exact = 0;
      double bound = 0;
      for (std::int64_t p = 0; p < kTerms; ++p) {
        const double x = static_cast<float>(a[place(i / kColumns * kTerms + p)]);
        const double y = static_cast<float>(b[place(p * kColumns + i % kColumns)]);
        exact += static_cast<long double>(x) * static_cast<long double>(y);
        bound += (kTerms + 2) * 0x1p-24 * std::abs(x * y) + 0x1p-126 * (1 + std::abs(x) + std::abs(y));
      }
      ASSERT_LE(std::abs(static_cast<double>(out[place(i)] - exact)), bound) << "element " << i;
    }
  }
}

}  // namespace
}  // namespace trntensor::testing
