#include "cli/bench/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "cli/bench/report_rows.hpp"
#include "cli/bench/svg.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr double kWidth = 900;
constexpr double kLeft = 190;
constexpr double kRight = 60;
constexpr double kRoofHeight = 300;
constexpr double kBar = 9;
constexpr double kGap = 26;
constexpr double kMuch = 1e12;  ///< bytes, more than any cache
constexpr const char* kAxis = "#999999";
constexpr const char* kOurs = "#1b6ca8";
constexpr std::array<const char*, 6> kTheirs = {"#d98032", "#6a9f58", "#967aa1", "#b85a5f", "#8c8c8c", "#c2a63a"};

/// A range of values onto a range of pixels, by logarithms.
struct LogScale {
  double low, high, start, end;
  [[nodiscard]] double operator()(double value) const {
    return start + (end - start) * std::log(value / low) / std::log(high / low);
  }
};

/// One suite, type and thread count.
struct Group {
  Summary summary;
  std::vector<const CaseResult*> cases;  ///< measured ones
  std::set<std::string> peers;
};

/// A peer has one colour, behind transposes too.
const char* colour_of(std::string name) {
  constexpr std::string_view kTtgt = "ttgt+";
  if (name.starts_with(kTtgt)) name.erase(0, kTtgt.size());
  const std::vector<std::string> names = peer_names();
  const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  return kTheirs[place % kTheirs.size()];
}

std::vector<Group> groups_of(const Report& report) {
  std::vector<Group> groups;
  for (const Summary& summary : summaries(report)) {
    Group group{summary, {}, {}};
    for (const CaseResult& result : report.cases) {
      const Case& what = result.what;
      if (what.suite != summary.suite || what.dtype != summary.dtype || what.threads != summary.threads) continue;
      if (!result.error.empty()) continue;
      group.cases.push_back(&result);
      for (const Score& peer : result.peers) group.peers.insert(peer.name);
    }
    if (!group.cases.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

double bars_height(const Group& group) {
  double height = kGap;
  for (const CaseResult* result : group.cases) height += kBar * (1.0 + static_cast<double>(result->peers.size())) + 5;
  return height;
}

double height_of(const Group& group) { return 3 * kGap + kRoofHeight + kGap + bars_height(group); }

double intensity(const CaseResult& result) { return result.what.flops / result.what.bytes; }

double peer_gflops(const CaseResult& result) {
  double best = 0;
  for (const Score& peer : result.peers) best = std::max(best, peer.gflops);
  return best;
}

class GroupPlot {
 public:
  GroupPlot(Svg& svg, const Floors& floors, const Group& group, double top)
      : svg_(svg),
        group_(group),
        top_(top),
        peak_(floors.peak(group.summary.dtype, group.summary.threads)),
        memory_(floors.bandwidth(kMuch, group.summary.threads)),
        cache_(floors.bandwidth(0, group.summary.threads)) {}

  void draw() {
    svg_.text({kWidth / 2, top_ + kGap}, title_of(group_.summary), Anchor::kMiddle, 15);
    legend(top_ + 2 * kGap);
    roofline(top_ + 3 * kGap);
    bars(top_ + 3 * kGap + kRoofHeight + kGap);
  }

 private:
  void legend(double y) {
    double x = kLeft;
    const auto entry = [&](const std::string& name, const char* colour) {
      svg_.rectangle({x, y - kBar}, kBar, kBar, colour);
      svg_.text({x + kBar + 4, y}, name);
      x += 120;
    };
    entry("trntensor", kOurs);
    for (const std::string& name : group_.peers) entry(name, colour_of(name));
  }

  void roofline(double top) {
    double least = peak_;
    double low = peak_ / memory_;
    double high = low;
    for (const CaseResult* result : group_.cases) {
      low = std::min(low, intensity(*result));
      high = std::max(high, intensity(*result));
      least = std::min(least, result->ours.gflops);
      if (!result->peers.empty()) least = std::min(least, peer_gflops(*result));
    }
    const LogScale across{low / 2, high * 2, kLeft, kWidth - kRight};
    const LogScale up{least / 2, peak_ * 1.3, top + kRoofHeight, top};
    axes(across, up);
    svg_.line({across(std::max(peak_ / cache_, across.low)), up(peak_)}, {across.end, up(peak_)}, "black", 1.5);
    svg_.text({across.end, up(peak_) - 5}, fmt::format("peak {:.0f} GFLOP/s", peak_), Anchor::kEnd);
    slope(memory_, "memory", across, up);
    slope(cache_, "L2", across, up);
    model(across, up);
    for (const CaseResult* result : group_.cases) points(*result, across, up);
  }

  /// What a bandwidth allows, up to the peak.
  void slope(double bandwidth, std::string_view name, const LogScale& across, const LogScale& up) {
    const double start = std::max(across.low, up.low / bandwidth);
    const double ridge = peak_ / bandwidth;
    if (ridge <= start) return;
    svg_.line({across(start), up(start * bandwidth)}, {across(ridge), up(peak_)}, "black", 1.5);
    const double middle = std::sqrt(start * ridge);
    svg_.text({across(middle) + 8, up(middle * bandwidth) + 12}, fmt::format("{} {:.0f} GB/s", name, bandwidth));
  }

  /// What the model without overlap allows, with memory's bandwidth.
  void model(const LogScale& across, const LogScale& up) {
    constexpr int kPieces = 60;
    const double step = std::pow(across.high / across.low, 1.0 / kPieces);
    const auto at = [&](double x) { return Point{across(x), up(1 / (1 / (kModelPeak * peak_) + 1 / (x * memory_)))}; };
    svg_.text({across.end, at(across.high).y + 14}, "no overlap", Anchor::kEnd);
    double x = across.low;
    for (int piece = 0; piece < kPieces; ++piece, x *= step) {
      if (piece % 2 == 0 && at(x).y <= up.start) svg_.line(at(x), at(x * step), kAxis);
    }
  }

  void points(const CaseResult& result, const LogScale& across, const LogScale& up) {
    const double x = across(intensity(result));
    const auto tip = [&](const std::string& who, double gflops) {
      return fmt::format("{}: {} {:.1f} GFLOP/s", result.what.name, who, gflops);
    };
    if (result.ratio) {
      const double theirs = peer_gflops(result);
      svg_.circle({x, up(theirs)}, 3, colour_of(result.best_peer), false, tip(result.best_peer, theirs));
    }
    svg_.circle({x, up(result.ours.gflops)}, 3, kOurs, true, tip("trntensor", result.ours.gflops));
  }

  void axes(const LogScale& across, const LogScale& up) {
    svg_.line({across.start, up.start}, {across.end, up.start}, kAxis);
    svg_.line({across.start, up.start}, {across.start, up.end}, kAxis);
    for_marks(across, [&](double value) {
      svg_.line({across(value), up.start}, {across(value), up.start + 4}, kAxis);
      svg_.text({across(value), up.start + 15}, fmt::format("{:g}", value), Anchor::kMiddle);
    });
    for_marks(up, [&](double value) {
      svg_.line({across.start - 4, up(value)}, {across.start, up(value)}, kAxis);
      svg_.text({across.start - 7, up(value) + 4}, fmt::format("{:g}", value), Anchor::kEnd);
    });
    svg_.text({across.end, up.start + 28}, "flops a byte", Anchor::kEnd);
    svg_.text({across.start - 45, up.end + 10}, "GFLOP/s", Anchor::kEnd);
  }

  template <typename Function>
  static void for_marks(const LogScale& scale, const Function& function) {
    constexpr double kDecade = 10;
    const bool few = scale.high / scale.low < kDecade * kDecade;
    for (double decade = std::pow(kDecade, std::floor(std::log10(scale.low))); decade <= scale.high;
         decade *= kDecade) {
      for (const double part : {1.0, 2.0, 5.0}) {
        const double mark = decade * part;
        if (mark >= scale.low && mark <= scale.high && (few || part == 1.0)) function(mark);
      }
    }
  }

  void bars(double top) {
    double y = top + kGap;
    const double width = kWidth - kLeft - kRight;
    const auto bar = [&](const Score& score, const char* colour) {
      const double length = std::max(width * score.gflops / peak_, 0.5);
      svg_.rectangle({kLeft, y}, length, kBar - 1, colour);
      svg_.text({kLeft + length + 4, y + kBar - 1}, fmt::format("{:.1f}", score.gflops), Anchor::kStart, 9);
      y += kBar;
    };
    for (const CaseResult* result : group_.cases) {
      svg_.text({kLeft - 7, y + kBar}, result->what.name, Anchor::kEnd);
      bar(result->ours, kOurs);
      for (const Score& peer : result->peers) bar(peer, colour_of(peer.name));
      y += 5;
    }
    svg_.line({kLeft, top + kGap - 5}, {kLeft, y}, kAxis);
    svg_.line({kLeft + width, top + kGap - 5}, {kLeft + width, y}, kAxis);
    svg_.text({kLeft + width, top + kGap - 8}, "peak", Anchor::kMiddle, 9);
  }

  Svg& svg_;
  const Group& group_;
  double top_;
  double peak_;
  double memory_;
  double cache_;
};

}  // namespace

std::string to_svg(const Report& report) {
  const std::vector<Group> groups = groups_of(report);
  double height = kGap;
  for (const Group& group : groups) height += height_of(group);
  Svg svg(kWidth, height);
  double top = 0;
  for (const Group& group : groups) {
    GroupPlot(svg, report.floors, group, top).draw();
    top += height_of(group);
  }
  return svg.document();
}

}  // namespace trntensor::cli::bench
