// One line of the benchmark: what is measured, before, while and after it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/measure.hpp"
#include "cli/bench/peer.hpp"

namespace trntensor::cli::bench {

/// What a case holds while it is measured: its data and those who compute it.
class Subject {
 public:
  virtual ~Subject() = default;

  /// Ours first, then the peers that offer it. They refer to the subject.
  [[nodiscard]] virtual std::span<const Contestant> contestants() const = 0;

  /// Runs every contestant and compares the results: what differs, for people, or nothing. What they were compared with
  /// is appended to `compared`.
  virtual std::optional<std::string> disagreement(std::vector<std::string>& compared) = 0;

  /// How far ours is from the exact result rounded to its type, at most, in units in the last place of that. Nothing
  /// where it is not the question.
  virtual std::optional<double> error_ulps() { return std::nullopt; }
};

/// What a case is set up with.
struct Surroundings {
  std::span<const PeerEntry> peers;
  std::stop_token stop = {};  ///< ends long calls with Error Cancelled
};

/// A case that can be set up. `flops` and `bytes` are what the no-overlap model counts: 2 a multiply-add, and every
/// tensor once.
struct Case {
  std::string suite;
  std::string name;
  std::string subscripts;
  DType dtype = DType::kFloat64;
  int threads = 1;
  double flops = 0;
  double bytes = 0;
  bool has_peers = true;  ///< whether other libraries are asked to do it
  std::function<std::unique_ptr<Subject>(const Case&, const Surroundings&)> make;
};

/// One contestant's outcome.
struct Score {
  std::string name;
  std::string kernel;
  Quantiles seconds;
  double gflops = 0;  ///< by the median
  std::size_t rounds = 0;
};

struct CaseResult {
  Case what;
  std::string error;                  ///< why it was not measured; the rest is then empty
  std::vector<std::string> compared;  ///< what our result agreed with before anything was timed
  Score ours;
  std::vector<Score> peers;
  std::optional<Score> yardstick;  ///< the contestant that ours is a multiple of
  std::optional<Quantiles> times;  ///< our time over the yardstick's, of the same round
  std::optional<double> error_ulps;
  double peak_gflops = 0;  ///< by turns with the contestants: the clock follows what the machine does meanwhile
  double fraction_of_peak = 0;
  double fraction_of_roofline = 0;
  std::string best_peer;           ///< highest GFLOP/s; empty without peers
  std::optional<Quantiles> ratio;  ///< the best peer's time over ours, of the same round; above 1: we are faster
};

}  // namespace trntensor::cli::bench
