#include "cli/bench/run_case.hpp"

#include <algorithm>

#include "trntensor/support/error.hpp"

namespace trntensor::cli::bench {
namespace {

Score score_of(const Contestant& contestant, const std::vector<double>& seconds, double flops) {
  Score score;
  score.name = contestant.name;
  score.kernel = contestant.kernel;
  score.seconds = quantiles(seconds);
  score.gflops = flops / score.seconds.median * 1e-9;
  score.rounds = seconds.size();
  return score;
}

/// One over the other, round by round.
Quantiles ratio_of(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios(above.size());
  std::transform(above.begin(), above.end(), below.begin(), ratios.begin(), std::divides<>());
  return quantiles(std::move(ratios));
}

void measure(CaseResult& result, std::span<const Contestant> contestants, const Floors& floors,
             const MeasureOptions& options) {
  const Case& what = result.what;
  const PeakWork peak = peak_work(what.dtype, what.threads);
  std::vector<Contestant> all(contestants.begin(), contestants.end());
  all.push_back(peak.contestant);
  const Samples samples = measure_in_turn(all, options);
  result.ours = score_of(contestants[0], samples[0], what.flops);
  result.peak_gflops = score_of(peak.contestant, samples.back(), peak.flops).gflops;
  result.fraction_of_peak = result.ours.gflops / result.peak_gflops;
  result.fraction_of_roofline =
      floors.model_seconds(result.peak_gflops, what.threads, what.flops, what.bytes) / result.ours.seconds.median;
  double best = 0;
  for (std::size_t other = 1; other < contestants.size(); ++other) {
    Score score = score_of(contestants[other], samples[other], what.flops);
    if (contestants[other].is_yardstick) {
      result.yardstick = std::move(score);
      result.times = ratio_of(samples[0], samples[other]);
      continue;
    }
    result.peers.push_back(std::move(score));
    if (result.peers.back().gflops <= best) continue;
    best = result.peers.back().gflops;
    result.best_peer = result.peers.back().name;
    result.ratio = ratio_of(samples[other], samples[0]);
  }
}

}  // namespace

CaseResult run_case(const Case& what, std::span<const PeerEntry> peers, const Floors& floors,
                    const MeasureOptions& options) {
  CaseResult result;
  result.what = what;
  try {
    const std::unique_ptr<Subject> subject = what.make(what, {peers, options.stop});
    if (auto text = subject->disagreement(result.compared)) {
      result.error = *std::move(text);
      return result;
    }
    result.error_ulps = subject->error_ulps();
    MeasureOptions of_case = options;
    of_case.threads = what.threads;
    measure(result, subject->contestants(), floors, of_case);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCancelled) throw;
    result.error = error.what();
  }
  return result;
}

}  // namespace trntensor::cli::bench
