#include "cli/bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "trntensor/host/parallel.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr double kTurn = 1e-3;      ///< seconds of timed calls in a turn
constexpr double kLongCall = 0.05;  ///< a call that needs no other before it

double seconds_of_calls(const Contestant& contestant, std::int64_t calls) {
  return seconds_of([&] { contestant.run(calls); });
}

struct Turn {
  std::int64_t calls = 1;
  bool warm_up = true;
  double seconds = 0;  ///< of a call, when it was planned
};

/// Doubles the calls until they take long enough; this is also the first warming up.
Turn plan_turn(const Contestant& contestant) {
  double seconds = seconds_of_calls(contestant, 1);
  if (seconds > kLongCall) return {1, false, seconds};
  Turn turn;
  seconds = seconds_of_calls(contestant, 1);
  while (seconds < kTurn && turn.calls < (std::int64_t{1} << 40)) {
    turn.calls *= 2;
    seconds = seconds_of_calls(contestant, turn.calls);
  }
  turn.seconds = seconds / static_cast<double>(turn.calls);
  return turn;
}

/// Threads of the last contestant that wait for more work go to sleep meanwhile.
void let_settle(int threads) {
  if (threads > 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

double take_turn(const Contestant& contestant, const Turn& turn, int threads) {
  let_settle(threads);
  if (turn.warm_up) contestant.run(1);
  return seconds_of_calls(contestant, turn.calls) / static_cast<double>(turn.calls);
}

double value_at(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

Samples measure_in_turn(std::span<const Contestant> contestants, const MeasureOptions& options) {
  std::vector<Turn> turns;
  for (const Contestant& contestant : contestants) {
    host::check_stop(options.stop);
    let_settle(options.threads);
    turns.push_back(plan_turn(contestant));
  }
  Samples samples(contestants.size());
  std::vector<double> spent(contestants.size(), 0);
  const auto add = [&](std::size_t who, double seconds) {
    samples[who].push_back(seconds);
    spent[who] += seconds * static_cast<double>(turns[who].calls);
  };
  // Of long calls the first ones were a round, whose warming up weighs nothing.
  const double planned =
      std::accumulate(turns.begin(), turns.end(), 0.0, [](double sum, const Turn& turn) { return sum + turn.seconds; });
  for (std::size_t who = 0; planned >= options.longest / 2 && who < turns.size(); ++who) add(who, turns[who].seconds);
  const auto enough = [&](std::size_t rounds) {
    if (rounds >= 2 && std::accumulate(spent.begin(), spent.end(), 0.0) >= options.longest) return true;
    return rounds >= static_cast<std::size_t>(options.rounds) &&
           *std::min_element(spent.begin(), spent.end()) >= options.seconds;
  };
  for (std::size_t round = samples[0].size(); !enough(round); ++round) {
    for (std::size_t turn = 0; turn < contestants.size(); ++turn) {
      host::check_stop(options.stop);
      const std::size_t who = (round + turn) % contestants.size();
      const double seconds = take_turn(contestants[who], turns[who], options.threads);
      add(who, seconds);
    }
  }
  return samples;
}

double best_of_three(const std::function<void()>& work) {
  constexpr double kLong = 0.2;
  constexpr int kTrials = 3;
  double best = seconds_of(work);
  for (int trial = 1; trial < kTrials && best <= kLong; ++trial) best = std::min(best, seconds_of(work));
  return best;
}

Quantiles quantiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {value_at(values, 0.1), value_at(values, 0.5), value_at(values, 0.9)};
}

double geometric_mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace trntensor::cli::bench
