// Regions whose operands were packed ahead give the bits of those that pack on the way.
#include "trntensor/host/gemm_packed.hpp"

#include <gtest/gtest.h>

#include "tests/common/random_tensor.hpp"
#include "trntensor/support/aligned_memory.hpp"

namespace trntensor::host {
namespace {

struct Sizes {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// m and n rows of k elements each, contracted over k.
StepProblem dot_of_rows(const Sizes& sizes, DType dtype) {
  StepProblem problem;
  problem.a = {dtype, dtype, {{0, sizes.m, sizes.k}, {2, sizes.k, 1}}};
  problem.b = OperandLayout{dtype, dtype, {{1, sizes.n, sizes.k}, {2, sizes.k, 1}}};
  problem.accumulator = accumulator_type(dtype);
  problem.out = {problem.accumulator, problem.accumulator, {{0, sizes.m, sizes.n}, {1, sizes.n, 1}}};
  return problem;
}

std::vector<std::uint8_t> run(const GemmPlan& plan, const GemmData& data, const GemmRegion& region,
                              const PackedOperands& packed, std::int64_t bytes) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(bytes), 0xff);
  const KernelScale scale = to_kernel_scale({}, plan.problem.accumulator);
  GemmData target = data;
  target.out = reinterpret_cast<std::byte*>(out.data());
  run_gemm_region(plan, target, region, {&scale, {}, 1, {}, packed});
  return out;
}

void expect_same_bits(const Sizes& sizes, DType dtype, const std::string& kernel) {
  Random random(static_cast<std::uint64_t>(sizes.m * 1000 + sizes.n));
  const auto contiguous = testing::RandomTensorOptions{.strides = testing::StrideKind::kContiguous};
  const Tensor a = testing::random_tensor(random, {sizes.m, sizes.k}, dtype, contiguous);
  const Tensor b = testing::random_tensor(random, {sizes.n, sizes.k}, dtype, contiguous);
  const BinaryProblem problem = classify(dot_of_rows(sizes, dtype));
  ASSERT_FALSE(problem.swapped);
  const GemmPlan plan(problem, choose_gemm_kernel(problem, kernel));
  const GemmData data{static_cast<const std::byte*>(a.data()), static_cast<const std::byte*>(b.data()), nullptr};
  // The whole, and a corner that begins and ends inside tiles.
  for (const GemmRegion& region : {GemmRegion{0, sizes.m, 0, sizes.n, 0, sizes.k},
                                   GemmRegion{sizes.m / 3, sizes.m - 1, sizes.n / 4, sizes.n, 1, sizes.k}}) {
    if (region.m_end <= region.m_begin || region.k_end <= region.k_begin) continue;
    const auto packed_a = allocate_aligned(static_cast<std::size_t>(packed_gemm_a_bytes(plan, region)));
    const auto packed_b = allocate_aligned(static_cast<std::size_t>(packed_gemm_b_bytes(plan, region)));
    pack_gemm_a(plan, data.a, region, packed_a.get());
    pack_gemm_b(plan, data.b, region, packed_b.get());
    const std::int64_t bytes = sizes.m * sizes.n * static_cast<std::int64_t>(size_of(problem.out_dtype));
    const auto expected = run(plan, data, region, {}, bytes);
    EXPECT_EQ(run(plan, data, region, {packed_a.get(), nullptr}, bytes), expected);
    EXPECT_EQ(run(plan, data, region, {nullptr, packed_b.get()}, bytes), expected);
    EXPECT_EQ(run(plan, data, region, {packed_a.get(), packed_b.get()}, bytes), expected);
  }
}

TEST(GemmPacked, GivesTheSameBits) {
  for (const std::string& kernel : host_kernel_names()) {
    for (const DType dtype : {DType::kFloat64, DType::kFloat32, DType::kBFloat16}) {
      for (const Sizes& sizes :
           {Sizes{7, 5, 3}, Sizes{33, 50, 20}, Sizes{100, 130, 1100}, Sizes{400, 61, 700}, Sizes{9, 5000, 30}}) {
        SCOPED_TRACE(kernel + " " + std::to_string(sizes.m) + " " + std::to_string(sizes.n));
        expect_same_bits(sizes, dtype, kernel);
      }
    }
  }
}

}  // namespace
}  // namespace trntensor::host
