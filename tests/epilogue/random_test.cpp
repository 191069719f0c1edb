// Random formulas on random contractions, exact: whole numbers that floating point holds.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/common/random_spec.hpp"
#include "tests/common/random_tensor.hpp"
#include "tests/epilogue/oracle.hpp"
#include "tests/epilogue/random_expression.hpp"
#include "trntensor/host/epilogue_stages.hpp"
#include "trntensor/host/executor.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using testing::EpilogueOracle;
using testing::ExpressionGenerator;
using testing::random_tensor;
using testing::RandomSpec;

/// All that one random call is made of.
struct RandomCall {
  RandomSpec spec;
  Spec parsed;
  std::vector<Tensor> operands;
  std::vector<Expression> expressions;
  std::vector<Tensor> tensors;
  std::vector<NamedView> names;
  EpilogueOptions options;

  [[nodiscard]] std::vector<TensorView> views() const { return {operands.begin(), operands.end()}; }
};

/// A matrix product of one tensor with itself now and then, so that symmetries are met.
RandomSpec draw_spec(std::uint64_t seed, Random& random) {
  if (random.integer(0, 3) == 0) {
    const std::int64_t i = random.integer(1, 7);
    const std::int64_t a = random.integer(1, 4);
    const std::int64_t p = random.integer(0, 5);
    const bool batched = random.integer(0, 2) == 0;
    return {seed, batched ? "niaP,njaP->nij" : "iaP,jbP->iajb",
            batched ? std::vector<Shape>{{3, i, a, p}, {3, i, a, p}} : std::vector<Shape>{{i, a, p}, {i, a, p}}};
  }
  return testing::random_spec(
      seed,
      {.min_operands = 1, .max_operands = random.integer(0, 3) == 0 ? 3 : 2, .max_points = 250, .ellipsis = false});
}

/// Packs operands also where other routes are better.
const Executor& packed_executor() {
  static const host::HostExecutor executor({.route = "gemm"});
  return executor;
}

RandomCall draw_call(std::uint64_t seed) {
  Random random(seed);
  RandomCall call;
  call.spec = draw_spec(seed, random);
  call.parsed = call.spec.parse();
  constexpr std::array kTypes{DType::kFloat64, DType::kFloat32, DType::kBFloat16};
  const auto draw_type = [&] { return kTypes[static_cast<std::size_t>(random.integer(0, 2))]; };
  for (const Shape& shape : call.spec.shapes) {
    const bool same = !call.operands.empty() && call.operands[0].shape() == shape && random.integer(0, 3) > 0;
    call.operands.push_back(
        same ? call.operands[0]
             : random_tensor(random, shape, draw_type(), {.values = testing::ValueKind::kSmallIntegers}));
  }
  ExpressionGenerator generator(random, call.parsed);
  for (std::int64_t k = random.integer(1, 3); k > 0; --k) {
    call.expressions.push_back(generator.run(static_cast<int>(random.integer(0, 4))));
  }
  for (const auto& made : generator.tensors()) {
    call.tensors.push_back(random_tensor(random, made.shape, random.integer(0, 3) == 0 ? DType::kInt16 : draw_type(),
                                         {.values = testing::ValueKind::kSmallIntegers}));
    call.names.push_back({made.name, call.tensors.back()});
  }
  call.options.num_threads = static_cast<int>(random.integer(1, 3));
  if (random.integer(0, 1) == 1) call.options.executor = &packed_executor();
  if (random.integer(0, 3) > 0) call.options.memory_limit = random.integer(1, 5000);
  return call;
}

std::int64_t elements_over(const RandomCall& call, const Labels& labels) {
  std::int64_t elements = 1;
  for (const Label label : labels) elements *= call.parsed.extents[static_cast<std::size_t>(label)];
  return elements;
}

/// Numbers that must be held at once: a block of all labels that the formula needs whole, and of those that may have to
/// be cut like them; one array of each reduction over all blocks.
std::int64_t least_numbers(const RandomCall& call) {
  std::vector<epilogue::TensorName> names;
  for (const NamedView& named : call.names) names.push_back({named.name, named.tensor.shape()});
  const epilogue::Formula formula = epilogue::bind(call.expressions, call.parsed, names);
  const host::EpilogueStages stages = host::find_stages(formula);
  const auto& axes = call.parsed.axes;
  const bool is_pair = axes.size() == 2 && axes[0].size() == axes[1].size();
  const auto is_whole = [&](Label label) {
    return std::find(stages.whole.begin(), stages.whole.end(), label) != stages.whole.end();
  };
  Labels whole;
  for (const Label label : call.parsed.output) {
    bool counts = is_whole(label);
    for (std::size_t d = 0; is_pair && d < axes[0].size(); ++d) {
      counts = counts || (axes[0][d] == label && is_whole(axes[1][d])) || (axes[1][d] == label && is_whole(axes[0][d]));
    }
    if (counts) whole.push_back(label);
  }
  std::int64_t numbers = elements_over(call, whole);
  for (const std::vector<int>* nodes : {&stages.block_sums, &stages.end_reductions}) {
    for (const int node : *nodes) numbers += elements_over(call, formula.nodes[static_cast<std::size_t>(node)].labels);
  }
  return numbers;
}

/// With the memory that was drawn, which makes many small blocks, unless the formula needs more; and packed, unless
/// a step has one operand only.
EpilogueResults run(const RandomCall& call) {
  const auto views = call.views();
  EpilogueOptions options = call.options;
  while (true) {
    try {
      return einsum_with_epilogues(call.spec.subscripts, views, call.expressions, call.names, options);
    } catch (const Error& error) {
      const bool needs_more = options.memory_limit && *options.memory_limit < least_numbers(call) * 8;
      if (error.kind() == ErrorKind::kOutOfMemory && needs_more) {
        options.memory_limit.reset();
      } else if (error.kind() == ErrorKind::kUnsupported && options.executor != nullptr) {
        options.executor = nullptr;
      } else {
        throw;
      }
    }
  }
}

struct RestoreKernel {
  ~RestoreKernel() { set_host_kernel(""); }
};

/// What floating point holds exactly in whole numbers: bfloat16 8 bits, float32 24.
double largest_exact(const EpilogueResults& results) {
  return results.tensors.front().dtype() == DType::kBFloat16  ? 0x1p8
         : results.tensors.front().dtype() == DType::kFloat32 ? 0x1p24
                                                              : 0x1p53;
}

TEST(EpilogueRandom, WholeNumbersAreExact) {
  int compared = 0;
  constexpr int kCases = 6000;
  const RestoreKernel restore;
  const std::vector<std::string> kernels = host_kernel_names();
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    set_host_kernel(kernels[seed % kernels.size()]);
    const RandomCall call = draw_call(seed);
    const auto views = call.views();
    EpilogueOracle oracle(call.parsed, views, call.names);
    const EpilogueResults results = run(call);
    ASSERT_EQ(results.tensors.size(), call.expressions.size());
    for (std::size_t k = 0; k < call.expressions.size(); ++k) {
      const Tensor expected = oracle.evaluate(call.expressions[k]);
      const Tensor& actual = results.tensors[k];
      ASSERT_EQ(actual.shape(), expected.shape()) << call.spec << '\n' << call.expressions[k].to_string();
      if (oracle.largest() > largest_exact(results)) continue;
      ++compared;
      const auto got = actual.to_vector<double>();
      const auto wanted = expected.to_vector<double>();
      for (std::size_t n = 0; n < got.size(); ++n) {
        if (std::isnan(wanted[n]) && std::isnan(got[n])) continue;  // of maxima over nothing
        ASSERT_EQ(got[n], wanted[n]) << "element " << n << " of " << call.expressions[k].to_string() << "\n"
                                     << call.spec << "\n"
                                     << results.route;
      }
    }
  }
  EXPECT_GT(compared, kCases) << "most of the cases must be exact";
}

}  // namespace
}  // namespace trntensor
