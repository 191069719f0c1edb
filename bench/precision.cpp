// What more digits and stochastic rounding cost: square matrix products in precisions kahan, dd and sr against the
// plain ones.
//
// The two run in turn, in one process, on the same operands; the results are compared first. Counters: GFLOP/s counting
// two operations a product as usual, and by how much longer it takes than the plain product (median, 10th and 90th
// percentile).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/support/random.hpp"

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
Tensor random_matrix(std::int64_t n, std::uint64_t seed) {
  Random random(seed);
  Tensor matrix = Tensor::empty({n, n}, dtype_of<T>);
  for (std::int64_t i = 0; i < n * n; ++i) {
    double re = random.uniform(-1, 1);
    if constexpr (std::is_floating_point_v<T>) {
      matrix.data_as<T>()[i] = static_cast<T>(re);
    } else {
      matrix.data_as<T>()[i] = {re, random.uniform(-1, 1)};
    }
  }
  return matrix;
}

/// Largest difference over the bound of the plain product for terms of modulus at most 2.
template <typename T>
double largest_difference(const Tensor& x, const Tensor& y, std::int64_t n) {
  double largest = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(x.data_as<T>()[i] - y.data_as<T>()[i])));
  }
  const double eps = std::is_same_v<T, float> ? 0x1p-23 : 0x1p-52;
  return largest / (4.0 * static_cast<double>(n + 2) * static_cast<double>(n) * eps);
}

template <typename T, Precision kPrecision>
void square_product(benchmark::State& state) {
  const std::int64_t n = state.range(0);
  const Tensor a = random_matrix<T>(n, 1);
  const Tensor b = random_matrix<T>(n, 2);
  Tensor plain_result = Tensor::empty({n, n}, dtype_of<T>);
  Tensor wide_result = Tensor::empty({n, n}, dtype_of<T>);
  const int threads = static_cast<int>(state.range(1));
  const std::vector<TensorView> operands{a, b};
  const Contraction plain("ij,jk->ik", operands, {.num_threads = threads});
  const Contraction wide("ij,jk->ik", operands, {.precision = kPrecision, .num_threads = threads});
  const std::function<void()> run_plain = [&] { plain.run_into(operands, plain_result.mutable_view()); };
  const std::function<void()> run_wide = [&] { wide.run_into(operands, wide_result.mutable_view()); };
  run_plain();
  run_wide();
  if (largest_difference<T>(plain_result, wide_result, n) > 1) {
    state.SkipWithError("the results differ");
    return;
  }
  std::vector<double> times;
  std::vector<double> ratios;
  for (auto _ : state) {
    const double plain_time = std::min(seconds_of(run_plain), seconds_of(run_plain));
    times.push_back(seconds_of(run_wide));
    ratios.push_back(times.back() / plain_time);
    state.SetIterationTime(times.back());
  }
  const double operations = (std::is_floating_point_v<T> ? 2.0 : 8.0) * std::pow(static_cast<double>(n), 3);
  state.counters["GFLOP/s"] = operations / percentile(times, 0.5) * 1e-9;
  state.counters["cost"] = percentile(ratios, 0.5);
  state.counters["p10"] = percentile(ratios, 0.1);
  state.counters["p90"] = percentile(ratios, 0.9);
}

void sizes(benchmark::internal::Benchmark* suite) {
  suite->ArgNames({"n", "threads"})->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t n : {256, 1024}) {
    for (const std::int64_t threads : {1, 2}) suite->Args({n, threads});
  }
}

BENCHMARK(square_product<double, Precision::kDoubleDouble>)->Name("dd/float64")->Apply(sizes);
BENCHMARK(square_product<double, Precision::kKahan>)->Name("kahan/float64")->Apply(sizes);
BENCHMARK(square_product<double, Precision::kStochastic>)->Name("sr/float64")->Apply(sizes);
BENCHMARK(square_product<float, Precision::kStochastic>)->Name("sr/float32")->Apply(sizes);
BENCHMARK(square_product<std::complex<double>, Precision::kDoubleDouble>)->Name("dd/complex128")->Apply(sizes);
BENCHMARK(square_product<std::complex<double>, Precision::kKahan>)->Name("kahan/complex128")->Apply(sizes);

}  // namespace
}  // namespace trntensor::bench

BENCHMARK_MAIN();
