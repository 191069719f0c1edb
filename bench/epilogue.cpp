// What epilogues cost: formulas on a contraction against the matrix products alone that they contain.
//
// Both run in turn, in one process, on one thread, after the formula's result was compared with a plain evaluation of
// what the products give. Counters: GFLOP/s counting two operations per multiply-add of the contraction and nothing
// else (of orbital pairs i <= j only), and how much longer than the bare products it takes.
#include "trntensor/dispatch/epilogue.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "cli/bench/measure.hpp"
#include "trntensor/dispatch/contraction.hpp"
#include "trntensor/quantum/mp2.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::bench {
namespace {

using cli::bench::seconds_of;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Tensor uniform(const Shape& shape, double low, double high, DType dtype = DType::kFloat64) {
  Random random(3);
  const Tensor values = Tensor::empty(shape, DType::kFloat64);
  for (std::int64_t k = 0; k < values.size(); ++k) values.data_as<double>()[k] = random.uniform(low, high);
  return values.astype(dtype);
}

/// Runs `formula` and `products`, which count `flops` operations, in turn; who begins changes.
void compare(benchmark::State& state, double flops, const std::function<void()>& formula,
             const std::function<void()>& products) {
  std::vector<double> ours;
  std::vector<double> bare;
  for (auto _ : state) {
    const bool begins = ours.size() % 2 == 0;
    if (begins) ours.push_back(seconds_of(formula));
    bare.push_back(seconds_of(products));
    if (!begins) ours.push_back(seconds_of(formula));
    state.SetIterationTime(ours.back());
  }
  state.counters["GFLOP/s"] = flops / median(ours) * 1e-9;
  state.counters["products_GFLOP/s"] = flops / median(bare) * 1e-9;
  state.counters["times_products"] = median(ours) / median(bare);
}

/// Ends the program: a wrong result is not timed.
void check(bool agrees, const char* what) {
  if (!agrees) throw Error(ErrorKind::kInternal, what);
}

double unit_of(DType dtype) { return dtype == DType::kFloat32 ? 0x1p-24 : 0x1p-53; }

/// What a pair of orbitals adds to the energy, by plain loops over its block of integrals.
double pair_energy(const Tensor& block, double occupied, const double* virtuals) {
  const auto x = block.to_vector<double>();
  const auto nvir = static_cast<std::size_t>(block.shape()[0]);
  double energy = 0;
  for (std::size_t a = 0; a < nvir; ++a) {
    for (std::size_t b = 0; b < nvir; ++b) {
      const double integral = x[a * nvir + b];
      energy += integral * (2 * integral - x[b * nvir + a]) / (occupied - virtuals[a] - virtuals[b]);
    }
  }
  return energy;
}

template <DType kDtype>
void mp2(benchmark::State& state) {
  const std::int64_t nocc = state.range(0);
  const std::int64_t nvir = state.range(1);
  const std::int64_t naux = state.range(2);
  const Tensor B = uniform({nocc, nvir, naux}, -0.5, 0.5, kDtype);
  const Tensor occupied = uniform({nocc}, -3, -1);
  const Tensor virtuals = uniform({nvir}, 0.1, 3);
  const Tensor rows = B.select(0, 0);
  const Tensor block = Tensor::empty({nvir, nvir}, kDtype);
  const Contraction product("aP,bP->ab", {rows, rows}, {.num_threads = 1});
  const auto all_products = [&] {
    for (std::int64_t i = 0; i < nocc; ++i) {
      for (std::int64_t j = i; j < nocc; ++j) {
        product.run_into({B.select(0, i), B.select(0, j)}, block.mutable_view());
      }
    }
  };
  const auto energy = [&] { mp2_energy(B, occupied, virtuals, {.num_threads = 1}); };
  double wanted = 0;
  for (std::int64_t i = 0; i < nocc; ++i) {
    for (std::int64_t j = i; j < nocc; ++j) {
      product.run_into({B.select(0, i), B.select(0, j)}, block.mutable_view());
      const double sum = occupied.at<double>({i}) + occupied.at<double>({j});
      wanted += (i == j ? 1 : 2) * pair_energy(block, sum, virtuals.data_as<double>());
    }
  }
  // Rounding errors of integrals have either sign and average out over the pairs: 8 naux units of the last place are
  // more than is left of them, and less than one pair that is missing.
  const double got = mp2_energy(B, occupied, virtuals, {.num_threads = 1}).correlation_energy;
  const double tolerance = 8 * static_cast<double>(naux) * unit_of(kDtype) * std::abs(wanted);
  check(std::abs(got - wanted) <= tolerance, "the energy is not that of plain loops");
  const double pairs = static_cast<double>(nocc * (nocc + 1)) / 2;
  compare(state, 2 * pairs * static_cast<double>(nvir * nvir * naux), energy, all_products);
}
BENCHMARK(mp2<DType::kFloat64>)->Args({48, 400, 1200})->Args({20, 100, 400})->UseManualTime()->Iterations(3);
BENCHMARK(mp2<DType::kFloat32>)->Args({48, 400, 1200})->UseManualTime()->Iterations(3);

/// Whether `got` is the softmax of the rows of 0.125 `x`, whose elements are sums of `depth` products of numbers up
/// to 1.
bool is_softmax(const Tensor& got, const Tensor& x, std::int64_t depth, double unit) {
  const auto p = got.to_vector<double>();
  auto wanted = x.to_vector<double>();
  const auto columns = static_cast<std::size_t>(x.shape()[1]);
  // Two orders of a sum differ by 2 depth u times at most `depth`; a relative error of an exponential is the absolute
  // one of its argument, and it is divided by a sum of such.
  const double tolerance = (2 * 0.125 * 2 * static_cast<double>(depth * depth) + 16) * unit;
  for (std::size_t row = 0; row < wanted.size(); row += columns) {
    double* const values = wanted.data() + row;
    const double largest = *std::max_element(values, values + columns);
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += values[j] = std::exp(0.125 * (values[j] - largest));
    for (std::size_t j = 0; j < columns; ++j) {
      if (!(std::abs(p[row + j] - values[j] / sum) <= tolerance * values[j] / sum)) return false;
    }
  }
  return true;
}

template <DType kDtype>
void softmax(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  const std::int64_t depth = state.range(1);
  const Tensor q = uniform({rows, depth}, -1, 1, kDtype);
  const Tensor k = uniform({rows, depth}, -1, 1, kDtype);
  const Expression x = 0.125 * epilogue::element();
  const Expression shifted = epilogue::exp(x - epilogue::max("j", x));
  const Expression formula = shifted / epilogue::sum("j", shifted);
  const Tensor out = Tensor::empty({rows, rows}, kDtype);
  const Contraction product("ik,jk->ij", {q, k}, {.num_threads = 1});
  product.run_into({q, k}, out.mutable_view());
  const Tensor rows_of_p = einsum_with_epilogue("ik,jk->ij", {q, k}, formula, {}, {.num_threads = 1});
  check(is_softmax(rows_of_p, out, depth, unit_of(kDtype)), "the rows are not those of a plain softmax");
  compare(
      state, 2 * static_cast<double>(rows * rows * depth),
      [&] { einsum_with_epilogue("ik,jk->ij", {q, k}, formula, {}, {.num_threads = 1}); },
      [&] { product.run_into({q, k}, out.mutable_view()); });
}
BENCHMARK(softmax<DType::kFloat32>)->Args({2048, 64})->Args({2048, 1024})->UseManualTime()->Iterations(10);
BENCHMARK(softmax<DType::kFloat64>)->Args({2048, 64})->Args({2048, 1024})->UseManualTime()->Iterations(10);

}  // namespace
}  // namespace trntensor::bench

BENCHMARK_MAIN();
