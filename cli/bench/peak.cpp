#include "cli/bench/peak.hpp"

#include <fmt/format.h>

#include <atomic>

#include "cli/bench/peak_loops.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr std::int64_t kSteps = 20'000;      // some 50 microseconds
constexpr std::int64_t kPiecesOfThread = 8;  // so that a thread that comes late does not hold up the others

struct Loop {
  PeakLoop run;
  std::string instructions;
};

Loop loop_of(DType dtype) {
  const std::string multiply_add = fmt::format("multiply-add, {}", multiply_add_vectors());
  if (dtype == DType::kFloat64) return {multiply_adds_f64, multiply_add};
  if (dtype == DType::kFloat32) return {multiply_adds_f32, multiply_add};
  if (dtype != DType::kBFloat16) {
    throw_unsupported(fmt::format("there is no peak of {}", to_string(dtype)), {}, "use float64, float32 or bfloat16");
  }
  if (const PeakLoop dot = dot_products_bf16()) return {dot, "dot product of bfloat16, AVX-512"};
  return {multiply_adds_f32, multiply_add};
}

}  // namespace

PeakWork peak_work(DType dtype, int threads) {
  const Loop loop = loop_of(dtype);
  const std::int64_t pieces = kPiecesOfThread * threads;
  double sink = 0;
  PeakWork work;
  work.flops = loop.run(1, sink) * static_cast<double>(kSteps * pieces);
  work.contestant.name = "peak";
  work.contestant.kernel = loop.instructions;
  work.contestant.run = [run = loop.run, pieces, threads](std::int64_t calls) {
    std::atomic<double> keep = 0;
    host::with_threads(threads, [&] {
      host::parallel_for(threads > 1, calls * pieces, [&](std::int64_t) {
        double sum = 0;
        run(kSteps, sum);
        keep = sum;
      });
    });
  };
  return work;
}

Peak measure_peak(DType dtype, int threads, const std::stop_token& stop) {
  const PeakWork work = peak_work(dtype, threads);
  MeasureOptions options;
  options.seconds = 0.2;
  options.threads = threads;
  options.stop = stop;
  const Samples samples = measure_in_turn({&work.contestant, 1}, options);
  return {work.flops / quantiles(samples.front()).median * 1e-9, work.contestant.kernel};
}

}  // namespace trntensor::cli::bench
