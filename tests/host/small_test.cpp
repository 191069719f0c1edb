// The route of small products: every kernel against the obvious loops, nothing touched beyond the operands, and what it
// leaves to other routes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "tests/host/step_types.hpp"
#include "trntensor/host/executor.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/small_step.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::testing {
namespace {

using ::testing::HasSubstr;

struct SmallCase {
  std::string instruction_set;
  NamedTypes types;

  friend std::ostream& operator<<(std::ostream& stream, const SmallCase& test) {
    return stream << test.instruction_set << ' ' << test.types;
  }
};

/// The types whose elements are summed as they are.
std::vector<SmallCase> all_cases() {
  std::vector<SmallCase> cases;
  for (const std::string& set : host_kernel_names()) {
    for (const NamedTypes& named : all_step_types()) {
      for (const char* name : {"f32", "f64", "c64", "c128", "i32", "u32", "i64", "u64"}) {
        if (named.name == name) cases.push_back({set, named});
      }
    }
  }
  return cases;
}

/// Few: large products take the obvious loops long.
std::vector<SmallCase> cases_of_tasks() {
  std::vector<SmallCase> cases = all_cases();
  std::erase_if(cases, [](const SmallCase& test) {
    return test.instruction_set != host_kernel_names().front() ||
           (test.types.name != "f32" && test.types.name != "c128");
  });
  return cases;
}

std::vector<SmallCase> cases_of_floats() {
  std::vector<SmallCase> cases = all_cases();
  std::erase_if(cases, [](const SmallCase& test) { return is_integer(test.types.types.accumulator); });
  return cases;
}

/// Exchanges the order of the two axes in memory.
void transpose(OperandLayout& layout) {
  std::swap(layout.axes[0].stride, layout.axes[1].stride);
  const bool is_packed = layout.axes[0].stride == 1;
  layout.axes[is_packed ? 1 : 0].stride = layout.axes[is_packed ? 0 : 1].extent;
}

class SmallProducts : public ::testing::TestWithParam<SmallCase> {
 protected:
  [[nodiscard]] std::unique_ptr<const PreparedStep> prepare(const StepProblem& problem) const {
    return host::prepare_small(host::classify(problem), GetParam().instruction_set);
  }
  [[nodiscard]] RandomStep make(const std::vector<StepLabel>& labels, MemoryKind memory, Random& random) const {
    return make_step(labels, GetParam().types.types, memory, random);
  }
};

// Blocks have up to 8 rows and up to 48 columns; 49 and 97 leave one column after whole blocks.
TEST_P(SmallProducts, MatchLoopsAtTheEdgesOfBlocks) {
  Random random(1);
  for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17, 32}) {
    for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 25, 31, 32, 33, 48, 49, 97}) {
      const std::int64_t k = random.integer(1, 5) * random.integer(1, 5);
      RandomStep step = make({{LabelKind::kM, m}, {LabelKind::kN, n}, {LabelKind::kK, k}}, MemoryKind::kPacked, random);
      if (random.integer(0, 2) == 0) transpose(step.problem.a);
      if (random.integer(0, 2) == 0) transpose(*step.problem.b);
      step.scale = random_scale(step.problem.accumulator, random);
      ASSERT_TRUE(run_and_match(*prepare(step.problem), step)) << "m " << m << ", n " << n << ", k " << k;
    }
  }
}

TEST_P(SmallProducts, MatchLoopsForRandomLabelsAndStrides) {
  int taken = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    constexpr LabelKind kKinds[] = {LabelKind::kBatch, LabelKind::kM, LabelKind::kN, LabelKind::kK};
    std::vector<StepLabel> labels;
    for (const LabelKind kind : kKinds) {
      if (random.integer(0, 3) > 0) labels.push_back({kind, random.integer(1, 20)});
    }
    RandomStep step = make(labels, MemoryKind::kAny, random);
    step.scale = random_scale(step.problem.accumulator, random);
    if (host::small_declines(host::classify(step.problem))) continue;
    ++taken;
    ASSERT_TRUE(run_and_match(*prepare(step.problem), step)) << "seed " << seed;
  }
  EXPECT_GE(taken, 50);
}

// Sums of more than 256 terms are computed in parts, the later ones added to the result.
TEST_P(SmallProducts, MatchLoopsForLongSums) {
  for (const std::int64_t k : {256, 257, 700}) {
    for (const bool transposes_b : {false, true}) {
      Random random(static_cast<std::uint64_t>(k));
      RandomStep step = make({{LabelKind::kBatch, 2}, {LabelKind::kM, 5}, {LabelKind::kN, 5}, {LabelKind::kK, k}},
                             MemoryKind::kPacked, random);
      for (Axis& axis : step.problem.b->axes) {
        if (axis.extent == 5) axis.stride = transposes_b ? k : 1;
        if (axis.extent == k) axis.stride = transposes_b ? 1 : 5;
      }
      step.scale = random_scale(step.problem.accumulator, random);
      ASSERT_TRUE(run_and_match(*prepare(step.problem), step)) << "k " << k << ", transposes b " << transposes_b;
      step.scale = {};
      ASSERT_TRUE(run_and_match(*prepare(step.problem), step)) << "k " << k << ", transposes b " << transposes_b;
    }
  }
}

class SmallTasks : public SmallProducts {};

// Large products are cut along their rows or columns, with a rest; the sums are those of a single thread.
TEST_P(SmallTasks, AreTheSameForAnyNumberOfThreads) {
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{5001, 21}, {3, 35003}}) {
    Random random(static_cast<std::uint64_t>(m));
    RandomStep step = make({{LabelKind::kM, m}, {LabelKind::kN, n}, {LabelKind::kK, 41}}, MemoryKind::kPacked, random);
    for (Axis& axis : step.problem.b->axes) axis.stride = axis.extent == n ? 1 : n;
    step.scale.beta = 1.0;
    RandomStep threaded = step;
    const auto prepared = prepare(step.problem);
    RunContext context;
    context.num_threads = 1;
    ASSERT_TRUE(run_and_match(*prepared, step, context)) << "m " << m;
    context.num_threads = 3;
    prepared->run(threaded.a.data(), threaded.b.data(), threaded.out.data(), threaded.scale, context);
    EXPECT_EQ(threaded.out.bytes, step.out.bytes) << "m " << m;
  }
}

TEST_P(SmallTasks, LookAtTheStopToken) {
  Random random(1);
  RandomStep step =
      make({{LabelKind::kM, 5001}, {LabelKind::kN, 21}, {LabelKind::kK, 41}}, MemoryKind::kPacked, random);
  std::stop_source source;
  source.request_stop();
  RunContext context;
  context.stop = source.get_token();
  EXPECT_THROW(prepare(step.problem)->run(step.a.data(), step.b.data(), step.out.data(), {}, context), Error);
}

TEST_P(SmallProducts, DoNotReadOutWhenBetaIsZero) {
  Random random(3);
  for (const std::complex<double> alpha : {1.0, 2.0}) {
    RandomStep step = make({{LabelKind::kM, 9}, {LabelKind::kN, 13}, {LabelKind::kK, 4}}, MemoryKind::kPacked, random);
    step.scale.alpha = alpha;
    std::fill(step.out.bytes.begin(), step.out.bytes.end(), std::byte{0xff});  // NaN in every floating type
    EXPECT_TRUE(run_and_match(*prepare(step.problem), step));
  }
}

class SmallFloats : public SmallProducts {};

TEST_P(SmallFloats, PropagateNanAndInfinity) {
  const StepTypes& types = GetParam().types.types;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    RandomStep step = make({{LabelKind::kM, 9}, {LabelKind::kN, 17}, {LabelKind::kK, 5}}, MemoryKind::kPacked, random);
    for (OperandMemory* memory : {&step.a, &step.b, &step.out}) fill(*memory, types.a, random, true);
    step.scale.beta = seed % 2 == 0 ? 0.0 : 0.5;
    ASSERT_TRUE(run_and_match(*prepare(step.problem), step)) << "seed " << seed;
  }
}

// The first term swallows every one that is added to it: each sum is off by all the others.
TEST_P(SmallFloats, KeepTheStatedBoundOfErrors) {
  const DType dtype = GetParam().types.types.accumulator;
  visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T> && sizeof(T) >= 4) {
      constexpr std::int64_t kTerms = 200;  // of one part
      const double eps = epsilon(dtype);
      std::vector<T> a(kTerms, T{1});
      a[0] = static_cast<T>(static_cast<float>(2 / eps));
      const std::vector<T> b(kTerms, T{1});
      T out{};
      StepProblem problem{{dtype, dtype, {{0, kTerms, 1}}},
                          OperandLayout{dtype, dtype, {{0, kTerms, 1}}},
                          {dtype, dtype, {}},
                          dtype,
                          false};
      prepare(problem)->run(a.data(), b.data(), &out, {}, {});
      EXPECT_LE(std::abs(static_cast<double>(std::abs(out)) - (2 / eps + kTerms - 1)), (kTerms + 2) * eps * (2 / eps));
    }
  });
}

/// Memory of so many bytes whose end, or begin, is that of what may be touched.
class Fenced {
 public:
  Fenced(std::size_t bytes, bool at_end) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    const std::size_t inner = (bytes + page_ - 1) / page_ * page_;
    size_ = inner + 2 * page_;
    memory_ = static_cast<std::byte*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(memory_ + page_, inner, PROT_READ | PROT_WRITE) != 0) std::abort();
    data_ = memory_ + page_ + (at_end ? inner - bytes : 0);
  }
  ~Fenced() { munmap(memory_, size_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::size_t page_;
  std::size_t size_;
  std::byte* memory_;
  std::byte* data_;
};

TEST_P(SmallProducts, TouchNothingBeyondTheOperands) {
  const auto item = size_of(GetParam().types.types.accumulator);
  Random random(1);
  for (const bool at_end : {false, true}) {
    for (const std::int64_t n : {1, 2, 3, 5, 9, 17, 33}) {
      const std::int64_t m = random.integer(1, 9);
      const std::int64_t k = random.integer(1, 9);
      RandomStep step = make({{LabelKind::kM, m}, {LabelKind::kN, n}, {LabelKind::kK, k}}, MemoryKind::kPacked, random);
      const Fenced a(static_cast<std::size_t>(m * k) * item, at_end);
      const Fenced b(static_cast<std::size_t>(k * n) * item, at_end);
      const Fenced out(static_cast<std::size_t>(m * n) * item, at_end);
      std::copy_n(step.a.data(), static_cast<std::size_t>(m * k) * item, a.data());
      std::copy_n(step.b.data(), static_cast<std::size_t>(k * n) * item, b.data());
      std::copy_n(step.out.data(), static_cast<std::size_t>(m * n) * item, out.data());
      step.scale.beta = 1.0;
      const auto prepared = prepare(step.problem);
      prepared->run(a.data(), b.data(), out.data(), step.scale, {});
      prepared->run(step.a.data(), step.b.data(), step.out.data(), step.scale, {});
      EXPECT_TRUE(std::equal(out.data(), out.data() + static_cast<std::size_t>(m * n) * item, step.out.data()));
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<SmallCase>& test) {
  return test.param.instruction_set + "_" + test.param.types.name;
}

INSTANTIATE_TEST_SUITE_P(Table, SmallProducts, ::testing::ValuesIn(all_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Table, SmallTasks, ::testing::ValuesIn(cases_of_tasks()), name_of);
INSTANTIATE_TEST_SUITE_P(Table, SmallFloats, ::testing::ValuesIn(cases_of_floats()), name_of);

/// A batch of m x k times k x n in C order.
StepProblem product(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, DType dtype = DType::kFloat64) {
  StepProblem problem;
  problem.a = {dtype, dtype, {{0, batch, m * k}, {1, m, k}, {3, k, 1}}};
  problem.b = OperandLayout{dtype, dtype, {{0, batch, k * n}, {3, k, n}, {2, n, 1}}};
  problem.out = {dtype, dtype, {{0, batch, m * n}, {1, m, n}, {2, n, 1}}};
  problem.accumulator = dtype;
  return problem;
}

std::string reason(const StepProblem& problem) {
  return host::small_declines(host::classify(problem)).value_or("it takes the step");
}

TEST(SmallDeclines, TakesSmallProducts) {
  for (const std::int64_t n : {1, 2, 8, 32}) EXPECT_EQ(reason(product(1, n, n, n)), "it takes the step");
  EXPECT_EQ(reason(product(1000, 8, 8, 8)), "it takes the step");
  EXPECT_EQ(reason(product(1, 3, 3, 3, DType::kComplex64)), "it takes the step");
}

TEST(SmallDeclines, LeavesWhatOthersDoFaster) {
  EXPECT_THAT(reason(product(1, 3000, 3000, 3000)), HasSubstr("3000 x 3000 x 3000"));
  EXPECT_THAT(reason(product(1000, 1, 1, 1)), HasSubstr("single products"));
  EXPECT_THAT(reason(product(1, 1, 1, 1000)), HasSubstr("long sums"));
  StepProblem wide_rows = product(1, 100, 20, 200);
  wide_rows.b->axes[1].stride = 512;
  EXPECT_THAT(reason(wide_rows), HasSubstr("too few sets")) << "4 KiB from row to row";
  StepProblem scattered = product(1, 2, 64, 24);
  scattered.b->axes = {{0, 1, 0}, {3, 24, 384}, {2, 64, 6}};
  EXPECT_THAT(reason(scattered), HasSubstr("scattered"));
  scattered.a.axes[1].extent = scattered.out.axes[1].extent = 16;
  EXPECT_EQ(reason(scattered), "it takes the step") << "enough rows";
  StepProblem by_columns = product(1, 20000, 4, 2000);
  by_columns.a.axes = {{0, 1, 0}, {1, 20000, 1}, {3, 2000, 20000}};
  EXPECT_THAT(reason(by_columns), HasSubstr("row by row"));
}

TEST(SmallDeclines, LeavesWhatItsKernelsCannotDo) {
  EXPECT_THAT(reason(product(1, 3, 0, 3)), HasSubstr("nothing"));
  EXPECT_THAT(reason(product(1, 3, 3, 3, DType::kInt8)), HasSubstr("converted"));
  StepProblem problem = product(1, 3, 3, 3);
  problem.out.dtype = DType::kFloat32;
  EXPECT_THAT(reason(problem), HasSubstr("converted"));
  problem = product(1, 3, 3, 3);
  problem.a.load_as = DType::kFloat32;
  EXPECT_THAT(reason(problem), HasSubstr("converted"));
  problem = product(1, 3, 3, 3);
  problem.compensated = true;
  EXPECT_THAT(reason(problem), HasSubstr("compensated"));
  problem = product(1, 3, 3, 3);
  problem.out.axes = {{1, 3, 6}, {2, 3, 2}};
  EXPECT_THAT(reason(problem), HasSubstr("side by side"));
  problem = product(1, 3, 3, 3);
  problem.a.axes.push_back({4, 2, 100});
  problem.b->axes.push_back({4, 2, 200});
  EXPECT_THAT(reason(problem), HasSubstr("more than one loop"));
  problem = product(1, 2, 100, 100);
  problem.b->axes = {{3, 100, 1}, {2, 100, 100}};
  EXPECT_THAT(reason(problem), HasSubstr("buffer"));
}

TEST(SmallRoute, IsWhatRunsAndSaysSo) {
  const host::HostExecutor executor({.route = {}, .kernel = "generic"});
  EXPECT_EQ(executor.prepare(product(1, 3, 4, 5))->describe(), "small small_f64_generic, m=3, n=4, k=5");
  EXPECT_EQ(executor.prepare(product(7, 3, 4, 5, DType::kUInt32))->describe(),
            "small small_i32_generic, batch=7, m=3, n=4, k=5");
  StepProblem transposed = product(1, 3, 4, 5);
  transpose(*transposed.b);
  EXPECT_THAT(executor.prepare(transposed)->describe(), HasSubstr("small"));
}

TEST(SmallRoute, RefusesWhatItCannotRunWhenItIsForced) {
  try {
    static_cast<void>(host::HostExecutor({.route = "small", .kernel = {}}).prepare(product(1, 3, 3, 3, DType::kInt8)));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("route small"), HasSubstr("converted")));
  }
}

TEST(SmallRoute, LongBatchesGiveTheSameBitsOnAnyNumberOfThreads) {
  Random random(5);
  for (const MemoryKind memory : {MemoryKind::kPacked, MemoryKind::kAny}) {
    RandomStep step = make_step({{LabelKind::kBatch, 4001}, {LabelKind::kM, 7}, {LabelKind::kN, 9}, {LabelKind::kK, 8}},
                                {}, memory, random);
    if (host::small_declines(host::classify(step.problem))) continue;
    step.scale.beta = 0.5;
    const auto prepared = host::HostExecutor().prepare(step.problem);
    EXPECT_THAT(prepared->describe(), HasSubstr("small"));
    RandomStep first = step;
    ASSERT_TRUE(run_and_match(*prepared, first));
    for (const int threads : {2, 3}) {
      OperandMemory again = step.out;
      RunContext context;
      context.num_threads = threads;
      prepared->run(step.a.data(), step.b.data(), again.data(), step.scale, context);
      EXPECT_EQ(again.bytes, first.out.bytes) << threads << " threads";
    }
  }
}

TEST(SmallRoute, LongBatchesStopWhenAskedTo) {
  const StepProblem problem = product(100'000, 8, 8, 8);
  const std::vector<double> a(64 * 100'000, 1.0);
  std::vector<double> out(a.size());
  std::stop_source source;
  source.request_stop();
  RunContext context;
  context.stop = source.get_token();
  try {
    host::HostExecutor().prepare(problem)->run(a.data(), a.data(), out.data(), {}, context);
    ADD_FAILURE() << "it ran to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
  }
}

}  // namespace
}  // namespace trntensor::testing
