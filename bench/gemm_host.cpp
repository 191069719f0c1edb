// Square matrix products: our GEMM engine against OpenBLAS and against the peak of the multiply-add units.
//
// The two run in turn, in one process, on the same operands; the results are compared first. Counters: GFLOP/s, part of
// the measured peak, and the ratio of the times (above 1: we are faster) as median, 10th and 90th percentile.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/peers/fma_peak.hpp"
#include "bench/peers/openblas.hpp"
#include "trntensor/host/gemm_step.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/dtype_traits.hpp"

namespace trntensor::bench {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

template <typename T>
struct Matrices {
  explicit Matrices(std::int64_t n) : a(size(n)), b(size(n)), ours(size(n)), theirs(size(n)) {
    Random random(1);
    for (std::vector<T>* matrix : {&a, &b}) {
      for (T& element : *matrix) element = static_cast<T>(random.uniform(-1, 1));
    }
  }
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n * n); }

  /// Largest difference of the results over its bound for sums of n terms of modulus at most 1.
  [[nodiscard]] double largest_difference(std::int64_t n) const {
    double largest = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) largest = std::max(largest, std::abs(double{ours[i]} - theirs[i]));
    return largest / (2.0 * static_cast<double>(n + 2) * static_cast<double>(n) * std::numeric_limits<T>::epsilon());
  }

  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> ours;
  std::vector<T> theirs;
};

template <typename T>
std::unique_ptr<const PreparedStep> prepare(std::int64_t n) {
  StepProblem problem;
  problem.a = {dtype_of<T>, dtype_of<T>, {{0, n, n}, {1, n, 1}}};
  problem.b = OperandLayout{dtype_of<T>, dtype_of<T>, {{1, n, n}, {2, n, 1}}};
  problem.out = {dtype_of<T>, dtype_of<T>, {{0, n, n}, {2, n, 1}}};
  problem.accumulator = dtype_of<T>;
  return host::prepare_gemm(host::classify(problem));
}

template <typename T>
double peak() {
  static const double measured = sizeof(T) == sizeof(float) ? fma_peak_f32() : fma_peak_f64();
  return measured;
}

/// Of the two in turn; which goes first alternates.
struct Timings {
  std::vector<double> ours;
  std::vector<double> ratios;  // theirs over ours
};

Timings time_in_turn(benchmark::State& state, const std::function<void()>& ours, const std::function<void()>& theirs) {
  Timings timings;
  bool ours_first = true;
  for (auto _ : state) {
    double their_time = 0;
    if (theirs && !ours_first) their_time = seconds_of(theirs);
    timings.ours.push_back(seconds_of(ours));
    if (theirs && ours_first) their_time = seconds_of(theirs);
    ours_first = !ours_first;
    timings.ratios.push_back(their_time / timings.ours.back());
    state.SetIterationTime(timings.ours.back());
  }
  return timings;
}

template <typename T>
void square_product(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  RunContext context;
  context.num_threads = static_cast<int>(state.range(1));
  Matrices<T> matrices(n);
  const auto step = prepare<T>(n);
  const std::function<void()> ours = [&] {
    step->run(matrices.a.data(), matrices.b.data(), matrices.ours.data(), Scale{}, context);
  };
  std::function<void()> theirs;
#ifdef TRNTENSOR_BENCH_OPENBLAS
  openblas::set_threads(context.num_threads);
  theirs = [&] { openblas::multiply(n, matrices.a.data(), matrices.b.data(), matrices.theirs.data()); };
  ours();
  theirs();
  if (matrices.largest_difference(n) > 1) {
    state.SkipWithError("the results differ");
    return;
  }
#endif
  const Timings timings = time_in_turn(state, ours, theirs);
  const double rate = 2.0 * std::pow(static_cast<double>(n), 3) / percentile(timings.ours, 0.5);
  state.counters["GFLOP/s"] = rate * 1e-9;
  state.counters["%peak"] = 100 * rate / (peak<T>() * context.num_threads);
  if (theirs) {
    state.counters["ratio"] = percentile(timings.ratios, 0.5);
    state.counters["p10"] = percentile(timings.ratios, 0.1);
    state.counters["p90"] = percentile(timings.ratios, 0.9);
  }
  state.SetLabel(step->describe());
}

void sizes(benchmark::internal::Benchmark* suite) {
  suite->ArgNames({"n", "threads"})->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t n : {256, 512, 1024, 2048}) {
    for (const std::int64_t threads : {1, 2}) suite->Args({n, threads});
  }
}

BENCHMARK(square_product<float>)->Apply(sizes);
BENCHMARK(square_product<double>)->Apply(sizes);

}  // namespace
}  // namespace trntensor::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
#ifdef TRNTENSOR_BENCH_OPENBLAS
  benchmark::AddCustomContext("openblas", trntensor::bench::openblas::core_name());
#endif
  benchmark::AddCustomContext("peak_f32_gflops", std::to_string(trntensor::bench::fma_peak_f32() * 1e-9));
  benchmark::AddCustomContext("peak_f64_gflops", std::to_string(trntensor::bench::fma_peak_f64() * 1e-9));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
