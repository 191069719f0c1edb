// What no program can beat on this machine: the peak, the bandwidths, and the time of a case that follows from them.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "cli/bench/peak.hpp"
#include "cli/bench/stream.hpp"

namespace trntensor::cli::bench {

struct PeakRow {
  DType dtype = DType::kFloat64;
  int threads = 1;
  Peak peak;
};

struct Floors {
  std::vector<PeakRow> peaks;
  std::vector<StreamLevel> levels;

  /// GFLOP/s. Precondition: it was measured.
  [[nodiscard]] double peak(DType dtype, int threads) const;

  /// GB/s at which tensors of so many bytes together come and go: L2 where they fill at most half of one, so that they
  /// stay there from call to call, else memory; the best of read, copy, triad and copy past the caches. Precondition:
  /// it was measured.
  [[nodiscard]] double bandwidth(double bytes, int threads) const;

  /// Seconds when arithmetic at 95 % of a peak and moving every tensor once do not overlap.
  [[nodiscard]] double model_seconds(double peak_gflops, int threads, double flops, double bytes) const;
};

/// The part of the peak that the model grants to arithmetic.
inline constexpr double kModelPeak = 0.95;

std::vector<PeakRow> measure_peaks(std::span<const DType> dtypes, std::span<const int> threads,
                                   const std::stop_token& stop);

}  // namespace trntensor::cli::bench
