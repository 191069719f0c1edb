// The GEMM engine on several threads: same results, every division of the work, cancellation, callers in parallel.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/host/step_types.hpp"
#include "trntensor/host/gemm_step.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/partition.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::testing {
namespace {

using Labels = std::vector<StepLabel>;

const Labels kManyItems{{LabelKind::kBatch, 24}, {LabelKind::kM, 30}, {LabelKind::kN, 50}, {LabelKind::kK, 20}};
const Labels kManyRows{{LabelKind::kM, 300}, {LabelKind::kN, 70}, {LabelKind::kK, 40}};
const Labels kManyColumns{{LabelKind::kM, 9}, {LabelKind::kN, 1500}, {LabelKind::kK, 50}};
const Labels kManyTerms{{LabelKind::kM, 11}, {LabelKind::kN, 30}, {LabelKind::kK, 2500}};

RandomStep make(const Labels& labels, const StepTypes& types, MemoryKind memory) {
  Random random(7);
  RandomStep step = make_step(labels, types, memory, random);
  step.scale.alpha = types.accumulator == DType::kBool ? 1.0 : 2.0;
  step.scale.beta = 1.0;
  return step;
}

TEST(GemmPartition, DividesWhatThereIsMuchOf) {
  const StepTypes types;
  const auto divide = [&](const Labels& labels) {
    const host::BinaryProblem problem = host::classify(make(labels, types, MemoryKind::kPacked).problem);
    return host::choose_partition(problem, host::choose_gemm_kernel(DType::kFloat64, false), 2);
  };
  EXPECT_EQ(divide(kManyItems).items, 2);
  EXPECT_EQ(divide(kManyRows).rows, 2);
  EXPECT_EQ(divide(kManyColumns).column_threads, 2);
  EXPECT_EQ(divide(kManyTerms).sums, 2);
  EXPECT_EQ(divide({{LabelKind::kM, 20}, {LabelKind::kN, 20}, {LabelKind::kK, 20}}).threads(), 1);
}

TEST(GemmPartition, NeverUsesMoreThreadsThanAllowed) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    host::BinaryProblem problem;
    problem.batch_size = random.integer(1, 40);
    problem.m_size = random.integer(1, 2000);
    problem.n_size = random.integer(1, 2000);
    problem.k_size = random.integer(1, 5000);
    const auto threads = static_cast<int>(random.integer(1, 64));
    const host::Partition partition =
        host::choose_partition(problem, host::choose_gemm_kernel(DType::kFloat64, false), threads);
    EXPECT_LE(partition.threads(), threads);
    EXPECT_GE(partition.threads(), 1);
  }
}

void expect_same_bits_by_threads(const StepTypes& types, const std::string& kernel) {
  for (const Labels* labels : {&kManyItems, &kManyRows, &kManyColumns, &kManyTerms}) {
    const RandomStep step = make(*labels, types, MemoryKind::kAny);
    const auto prepared = host::prepare_gemm(host::classify(step.problem), kernel);
    for (const int threads : {2, 3}) {
      RunContext context;
      context.num_threads = threads;
      RandomStep first = step;
      ASSERT_TRUE(run_and_match(*prepared, first, context)) << threads << " threads";
      for (int repetition = 0; repetition < 3; ++repetition) {
        OperandMemory again = step.out;
        prepared->run(step.a.data(), step.b.data(), again.data(), step.scale, context);
        ASSERT_EQ(again.bytes, first.out.bytes) << threads << " threads, " << prepared->describe();
      }
    }
  }
}

class GemmThreads : public ::testing::TestWithParam<NamedTypes> {};

TEST_P(GemmThreads, MatchLoopsAndRepeatBitForBit) { expect_same_bits_by_threads(GetParam().types, {}); }

// Chosen only where it pays; slices of the sum begin and end inside pairs.
TEST(GemmThreadsOfPairs, MatchLoopsAndRepeatBitForBit) {
  const std::vector<std::string> kernels = host_kernel_names();
  if (std::find(kernels.begin(), kernels.end(), "avx512_bf16") == kernels.end()) {
    GTEST_SKIP() << "this CPU has no dot product of bfloat16";
  }
  for (const DType out : {DType::kBFloat16, DType::kFloat32}) {
    expect_same_bits_by_threads({DType::kBFloat16, DType::kBFloat16, DType::kBFloat16, DType::kFloat32, out},
                                "avx512_bf16");
  }
}

INSTANTIATE_TEST_SUITE_P(Types, GemmThreads, ::testing::ValuesIn([] {
                           std::vector<NamedTypes> some;
                           for (const NamedTypes& named : all_step_types()) {
                             for (const char* name :
                                  {"f64", "bf16", "c64", "i8", "bool", "f64_compensated", "f64_compensated_twice"}) {
                               if (named.name == name) some.push_back(named);
                             }
                           }
                           return some;
                         }()),
                         [](const auto& test) { return test.param.name; });

/// Results that would not stay in the caches are written past them where their lines allow.
TEST(GemmCalls, WriteLargeResultsWhole) {
  const CpuInfo& cpu = cpu_info();
  const std::int64_t bytes = std::max(4 * cpu.l2_bytes, cpu.l3_bytes / 4);
  for (const std::int64_t columns : {48, 24, 72, 25}) {
    const std::int64_t rows = bytes / 4 / columns / 16 * 16 + 16;
    RandomStep step;
    StepProblem& problem = step.problem;
    problem.accumulator = problem.out.dtype = problem.out.load_as = DType::kFloat32;
    problem.a = {DType::kFloat32, DType::kFloat32, {{0, rows, 1}, {2, 1, 1}}};
    problem.b = OperandLayout{DType::kFloat32, DType::kFloat32, {{1, columns, 1}, {2, 1, 1}}};
    problem.out.axes = {{0, rows, columns}, {1, columns, 1}};
    std::vector<float> a(static_cast<std::size_t>(rows));
    std::vector<float> b(static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 1000);
    for (std::size_t j = 0; j < b.size(); ++j) b[j] = static_cast<float>(j + 1);
    const Tensor out = Tensor::empty({rows, columns}, DType::kFloat32);
    RunContext context;
    context.num_threads = 2;
    host::prepare_gemm(host::classify(problem))->run(a.data(), b.data(), out.mutable_view().data(), {}, context);
    const float* value = out.data_as<float>();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) wrong += *value++ == a[i] * b[j] ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0) << columns << " columns";
  }
}

TEST(GemmCalls, MayRunTheSameStepAtTheSameTime) {
  const RandomStep step = make(kManyRows, {}, MemoryKind::kPacked);
  const auto prepared = host::prepare_gemm(host::classify(step.problem));
  RunContext context;
  context.num_threads = 2;
  OperandMemory expected = step.out;
  prepared->run(step.a.data(), step.b.data(), expected.data(), step.scale, context);
  std::vector<OperandMemory> results(4, step.out);
  {
    std::vector<std::jthread> callers;
    for (OperandMemory& result : results) {
      callers.emplace_back([&] { prepared->run(step.a.data(), step.b.data(), result.data(), step.scale, context); });
    }
  }
  for (const OperandMemory& result : results) EXPECT_EQ(result.bytes, expected.bytes);
}

TEST(GemmCalls, MayBeMadeFromParallelLoops) {
  const RandomStep step = make(kManyRows, {}, MemoryKind::kPacked);
  const auto prepared = host::prepare_gemm(host::classify(step.problem));
  RunContext context;
  context.num_threads = 2;
  OperandMemory expected = step.out;
  prepared->run(step.a.data(), step.b.data(), expected.data(), step.scale, context);
  std::vector<OperandMemory> results(16, step.out);
  host::with_threads(3, [&] {
    host::parallel_for(true, 16, [&](std::int64_t i) {
      prepared->run(step.a.data(), step.b.data(), results[static_cast<std::size_t>(i)].data(), step.scale, context);
    });
  });
  for (const OperandMemory& result : results) EXPECT_EQ(result.bytes, expected.bytes);
}

TEST(GemmCancel, StopsBeforeTheFirstBlockWhenAlreadyTriggered) {
  const RandomStep step = make(kManyRows, {}, MemoryKind::kPacked);
  const auto prepared = host::prepare_gemm(host::classify(step.problem));
  std::stop_source source;
  source.request_stop();
  for (const int threads : {1, 2}) {
    OperandMemory out = step.out;
    try {
      prepared->run(step.a.data(), step.b.data(), out.data(), step.scale, {threads, source.get_token()});
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
    }
    EXPECT_EQ(out.bytes, step.out.bytes);
  }
}

/// The operands are one element each, repeated by strides of 0: far too many terms to wait for, no memory to speak of.
TEST(GemmCancel, StopsLongWorkInTheMiddle) {
  StepProblem problem;
  constexpr std::int64_t kTerms = std::int64_t{1} << 50;
  problem.a.axes = {{0, 500, 0}, {2, kTerms, 0}};
  problem.b = OperandLayout{DType::kFloat64, DType::kFloat64, {{2, kTerms, 0}, {1, 500, 0}}};
  problem.out.axes = {{0, 500, 500}, {1, 500, 1}};
  const auto prepared = host::prepare_gemm(host::classify(problem));
  const double one = 1;
  std::vector<double> out(500 * 500);
  for (const int threads : {1, 2}) {
    std::stop_source source;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      source.request_stop();
    });
    EXPECT_THROW(prepared->run(&one, &one, out.data(), Scale{}, {threads, source.get_token()}), Error);
  }
}

TEST(ParallelFor, ThrowsWhatAWorkerThrows) {
  host::with_threads(2, [] {
    EXPECT_THROW(host::parallel_for(true, 100,
                                    [](std::int64_t i) {
                                      if (i == 57) throw Error(ErrorKind::kOutOfMemory, "worker 57");
                                    }),
                 Error);
  });
}

}  // namespace
}  // namespace trntensor::testing
