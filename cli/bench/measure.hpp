// Time by turns: every contestant once, then every one again, so that what the machine does meanwhile meets all alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace trntensor::cli::bench {

/// One way to compute a case.
struct Contestant {
  std::string name;
  std::string kernel;                     ///< what runs, for people
  std::function<void(std::int64_t)> run;  ///< does it so many times
  std::function<void()> deliver = {};     ///< puts the last result where it is compared, unless `run` does
  bool is_yardstick = false;              ///< no peer: our time is told as a multiple of its time
};

struct MeasureOptions {
  double seconds = 0.5;  ///< for each contestant, at least
  int rounds = 5;        ///< at least
  double longest = 10;   ///< seconds of all contestants after which 2 rounds do
  int threads = 1;
  std::stop_token stop = {};
};

/// Seconds of one call: element [c][r] of contestant c in round r.
using Samples = std::vector<std::vector<double>>;

/// Each turn is a call that is not timed, unless one takes long, then as many calls as take about a millisecond. Which
/// contestant begins changes from round to round. Throws Cancelled between turns.
Samples measure_in_turn(std::span<const Contestant> contestants, const MeasureOptions& options);

struct Quantiles {
  double p10 = 0;
  double median = 0;
  double p90 = 0;
};

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds of the best of three times; of the first, if it takes long.
double best_of_three(const std::function<void()>& work);

/// Linear between the neighbours. Precondition: there are values.
Quantiles quantiles(std::vector<double> values);

/// exp of the mean logarithm; 0 without values.
double geometric_mean(std::span<const double> values);

}  // namespace trntensor::cli::bench
