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

/// Theirs over ours, round by round.
Quantiles ratio_of(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::vector<double> ratios(ours.size());
  std::transform(theirs.begin(), theirs.end(), ours.begin(), ratios.begin(), std::divides<>());
  return quantiles(std::move(ratios));
}

void measure(CaseResult& result, std::span<const Contestant> contestants, const Floors& floors,
             const MeasureOptions& options) {
  const Case& what = result.what;
  const Samples samples = measure_in_turn(contestants, options);
  result.ours = score_of(contestants[0], samples[0], what.flops);
  result.fraction_of_peak = result.ours.gflops / floors.peak(what.dtype, what.threads);
  result.fraction_of_roofline =
      floors.model_seconds(what.dtype, what.threads, what.flops, what.bytes) / result.ours.seconds.median;
  double best = 0;
  for (std::size_t peer = 1; peer < contestants.size(); ++peer) {
    result.peers.push_back(score_of(contestants[peer], samples[peer], what.flops));
    if (result.peers.back().gflops <= best) continue;
    best = result.peers.back().gflops;
    result.best_peer = result.peers.back().name;
    result.ratio = ratio_of(samples[0], samples[peer]);
  }
}

}  // namespace

CaseResult run_case(const Case& what, std::span<const PeerEntry> peers, const Floors& floors,
                    const MeasureOptions& options) {
  CaseResult result;
  result.what = what;
  try {
    const std::unique_ptr<Subject> subject = what.make(what, peers);
    if (auto text = subject->disagreement(result.compared)) {
      result.error = *std::move(text);
      return result;
    }
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
