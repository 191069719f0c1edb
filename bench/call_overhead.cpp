// What a call costs beyond its arithmetic: a product of two 3x3 matrices at one thread, by einsum with a cached plan,
// by a prepared Contraction, and by a loop written for it. The results are compared first.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "trntensor/dispatch/einsum.hpp"

namespace trntensor::bench {
namespace {

constexpr std::int64_t kExtent = 3;

struct Product {
  Product() {
    double next = 1;
    for (Tensor* matrix : {&a, &b}) {
      for (std::int64_t i = 0; i < matrix->size(); ++i) matrix->data_as<double>()[i] = next++;
    }
  }

  /// c = a b by the loop.
  void multiply() const {
    for (std::int64_t i = 0; i < kExtent; ++i) {
      for (std::int64_t k = 0; k < kExtent; ++k) {
        double sum = 0;
        for (std::int64_t j = 0; j < kExtent; ++j) sum += x[i * kExtent + j] * y[j * kExtent + k];
        z[i * kExtent + k] = sum;
      }
    }
  }

  /// Small whole numbers: every way gives the same bits.
  [[nodiscard]] bool is_product(const Tensor& result) const {
    multiply();
    return result.to_vector<double>() == c.to_vector<double>();
  }

  Tensor a = Tensor::empty({kExtent, kExtent}, DType::kFloat64);
  Tensor b = Tensor::empty({kExtent, kExtent}, DType::kFloat64);
  Tensor c = Tensor::empty({kExtent, kExtent}, DType::kFloat64);
  const double* x = a.data_as<double>();
  const double* y = b.data_as<double>();
  double* z = c.data_as<double>();
};

constexpr const char* kDiffers = "the result is not that of the loop";

void time_einsum(benchmark::State& state, const EinsumOptions& options) {
  const Product product;
  if (!product.is_product(einsum("ij,jk->ik", {product.a, product.b}, options))) {
    state.SkipWithError(kDiffers);
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(einsum("ij,jk->ik", {product.a, product.b}, options).data());
}

void einsum_with_cached_plan(benchmark::State& state) { time_einsum(state, {.num_threads = 1}); }

void einsum_into_out(benchmark::State& state) {
  time_einsum(state, {.out = Tensor::empty({kExtent, kExtent}, DType::kFloat64), .num_threads = 1});
}

void prepared_run_into(benchmark::State& state) {
  const Product product;
  const std::vector<TensorView> operands{product.a, product.b};
  const Contraction contraction("ij,jk->ik", operands, {.num_threads = 1});
  const Tensor out = Tensor::empty({kExtent, kExtent}, DType::kFloat64);
  const MutableTensorView view = out.mutable_view();
  contraction.run_into(operands, view);
  if (!product.is_product(out)) {
    state.SkipWithError(kDiffers);
    return;
  }
  for (auto _ : state) contraction.run_into(operands, view);
}

void hand_written_loop(benchmark::State& state) {
  const Product product;
  for (auto _ : state) {
    product.multiply();
    benchmark::ClobberMemory();
  }
}

BENCHMARK(einsum_with_cached_plan);
BENCHMARK(einsum_into_out);
BENCHMARK(prepared_run_into);
BENCHMARK(hand_written_loop);

}  // namespace
}  // namespace trntensor::bench

BENCHMARK_MAIN();
