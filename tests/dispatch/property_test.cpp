// Random contractions of up to six operands and rank 8 in every element type, on any strides, against the oracle.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/common/matches.hpp"
#include "tests/common/random_spec.hpp"
#include "tests/common/random_tensor.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/host/executor.hpp"

namespace trntensor {
namespace {

using testing::RandomSpec;
using testing::RandomSpecOptions;
using testing::RandomTensorOptions;
using testing::StrideKind;
using testing::ValueKind;

constexpr std::uint64_t kSpecsPerShard = 1000;
constexpr std::uint64_t kShards = 24;

/// One random call: operands, options, and what it was made from.
struct RandomCall {
  RandomSpec spec;
  std::vector<Tensor> operands;
  EinsumOptions options;
  std::string route;

  [[nodiscard]] std::vector<TensorView> views() const { return {operands.begin(), operands.end()}; }
  [[nodiscard]] std::string describe() const {
    std::string text = spec.describe();
    for (const Tensor& operand : operands) text += "\n  " + testing::describe(operand);
    if (options.out) text += "\n  out " + testing::describe(*options.out);
    return text + "\n  route \"" + route +
           "\"\n  rerun: test_property --gtest_filter='*Call*' with TRNTENSOR_TEST_SEED=" + std::to_string(spec.seed);
  }
};

DType random_dtype(Random& random) { return static_cast<DType>(random.integer(0, kDTypeCount - 1)); }

std::vector<DType> random_dtypes(Random& random, std::size_t count) {
  std::vector<DType> dtypes(count, random_dtype(random));
  if (random.uniform() < 0.3) {
    for (DType& dtype : dtypes) dtype = random_dtype(random);
  }
  return dtypes;
}

ValueKind random_values(Random& random) {
  const double choice = random.uniform();
  if (choice < 0.5) return ValueKind::kSmallIntegers;
  return choice < 0.75 ? ValueKind::kSpecials : ValueKind::kNormal;
}

void add_scale_and_out(Random& random, const Spec& spec, DType compute, EinsumOptions& options) {
  constexpr std::array<double, 4> kScales{0, 1, -2, 3};
  const auto scale = [&]() -> double {
    if (compute == DType::kBool) return static_cast<double>(random.integer(0, 1));
    return kScales[static_cast<std::size_t>(random.integer(0, 3))];
  };
  if (random.uniform() < 0.3) options.alpha = scale();
  if (random.uniform() < 0.4) return;
  DType out_dtype = compute;
  if (random.uniform() < 0.2) {
    const DType other = random_dtype(random);
    if (can_cast_same_kind(compute, other)) out_dtype = other;
  }
  options.out = testing::random_tensor(random, spec.output_shape(), out_dtype,
                                       {StrideKind::kAny, ValueKind::kSmallIntegers, /*writable=*/true});
  // Sums are added only to what their type can hold.
  if (promote(compute, out_dtype) == compute && random.uniform() < 0.5) options.beta = scale();
}

RandomCall random_call(std::uint64_t seed) {
  RandomSpecOptions spec_options;
  spec_options.max_points = seed % 10 == 0 ? 20000 : 2000;
  RandomCall call{testing::random_spec(seed, spec_options), {}, {}, {}};
  Random random(seed ^ 0x5bd1e995);
  const std::vector<DType> dtypes = random_dtypes(random, call.spec.shapes.size());
  const ValueKind values = random_values(random);
  const bool mixed = !std::all_of(dtypes.begin(), dtypes.end(), is_integer);
  DType compute = promote(dtypes);
  for (std::size_t k = 0; k < dtypes.size(); ++k) {
    // Integers of their whole range are for integer sums: among floats they leave the range of float32 on the way.
    const ValueKind kind = mixed && is_integer(dtypes[k]) ? ValueKind::kSmallIntegers : values;
    call.operands.push_back(testing::random_tensor(random, call.spec.shapes[k], dtypes[k], {StrideKind::kAny, kind}));
  }
  if (random.uniform() < 0.15) {
    const DType asked = random_dtype(random);
    const bool allowed =
        std::all_of(dtypes.begin(), dtypes.end(), [&](DType from) { return can_cast_same_kind(from, asked); });
    if (allowed) call.options.dtype = compute = asked;
  }
  if (random.uniform() < 0.1) call.options.precision = Precision::kKahan;
  call.options.optimize = static_cast<PathMethod>(random.integer(0, 2));
  call.options.num_threads = static_cast<int>(random.integer(1, 3));
  // A step of one operand has one route; every step of two can take either.
  if (call.operands.size() > 1 && random.uniform() < 0.4) call.route = random.uniform() < 0.5 ? "gemm" : "nest";
  add_scale_and_out(random, call.spec.parse(), compute, call.options);
  return call;
}

/// Runs on the asked route, or on the executor's own choice.
Tensor run(const RandomCall& call) {
  const host::HostExecutor executor(host::HostOptions{.route = call.route, .kernel = {}});
  EinsumOptions options = call.options;
  options.executor = &executor;
  return einsum(call.spec.subscripts, call.views(), options);
}

void check_call(std::uint64_t seed) {
  const RandomCall call = random_call(seed);
  const Spec spec = call.spec.parse();
  const std::vector<TensorView> views = call.views();
  const Plan plan = plan_contraction(call.spec.subscripts, views, call.options);
  std::optional<Tensor> out_before;
  reference::ReferenceOptions expected;
  expected.alpha = call.options.alpha;
  expected.beta = call.options.beta;
  if (call.options.out) {
    out_before = call.options.out->clone();
    expected.out = out_before->view();
    expected.output_dtype = call.options.out->dtype();
  }
  const Tensor actual = run(call);
  EXPECT_TRUE(testing::matches_reference(actual, spec, views, plan.contents().compute_dtype,
                                         plan.contents().accumulator_dtype, expected))
      << call.describe();
  if (call.options.out) {
    EXPECT_EQ(actual.data(), call.options.out->data());
  }
}

class RandomContractions : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomContractions, EqualTheOracle) {
  for (std::uint64_t n = 0; n < kSpecsPerShard; ++n) {
    const std::uint64_t seed = GetParam() * kSpecsPerShard + n;
    ASSERT_NO_THROW(check_call(seed)) << "seed " << seed;
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomContractions, ::testing::Range(std::uint64_t{0}, kShards));

// Runs one call again: TRNTENSOR_TEST_SEED=n test_property --gtest_filter='*Call*'; without a seed, the first.
TEST(RandomContraction, OneCallAgain) {
  const char* text = std::getenv("TRNTENSOR_TEST_SEED");
  const std::uint64_t seed = text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
  check_call(seed);
}

}  // namespace
}  // namespace trntensor
