#include "cli/bench/floors.hpp"

#include <string_view>

#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {

double Floors::peak(DType dtype, int threads) const {
  for (const PeakRow& row : peaks) {
    if (row.dtype == dtype && row.threads == threads) return row.peak.gflops;
  }
  throw Error(ErrorKind::kInternal, "a peak was not measured");
}

double Floors::bandwidth(double bytes, int threads) const {
  const std::string_view name = bytes <= static_cast<double>(cpu_info().l2_bytes) / 2 ? "L2" : "memory";
  for (const StreamLevel& level : levels) {
    if (level.name == name && level.threads == threads) return level.best();
  }
  throw Error(ErrorKind::kInternal, "a bandwidth was not measured");
}

double Floors::model_seconds(double peak_gflops, int threads, double flops, double bytes) const {
  constexpr double kGiga = 1e9;
  return flops / (kModelPeak * peak_gflops * kGiga) + bytes / (bandwidth(bytes, threads) * kGiga);
}

std::vector<PeakRow> measure_peaks(std::span<const DType> dtypes, std::span<const int> threads,
                                   const std::stop_token& stop) {
  std::vector<PeakRow> rows;
  for (const int count : threads) {
    for (const DType dtype : dtypes) rows.push_back({dtype, count, measure_peak(dtype, count, stop)});
  }
  return rows;
}

}  // namespace trntensor::cli::bench
