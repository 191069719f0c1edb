#include "trntensor/quantum/denominators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trntensor/quantum/mp2.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::quantum {
namespace {

/// A virtual orbital and its energy.
struct Level {
  double energy = 0;
  std::size_t orbital = 0;
};

/// The two virtual levels whose energies sum up nearest to `target`; `levels` is sorted and not empty.
std::pair<Level, Level> nearest_sum(std::span<const Level> levels, double target) {
  std::size_t low = 0;
  std::size_t high = levels.size() - 1;
  std::pair<Level, Level> best{levels[low], levels[high]};
  double least = INFINITY;
  while (true) {
    const double distance = levels[low].energy + levels[high].energy - target;
    if (std::abs(distance) < least) {
      least = std::abs(distance);
      best = {levels[low], levels[high]};
    }
    if (low == high) return best;
    distance < 0 ? ++low : --high;
  }
}

[[noreturn]] void throw_vanishing(std::size_t i, std::size_t j, const std::pair<Level, Level>& ab, double e_i,
                                  double e_j) {
  throw_invalid(fmt::format("the denominator of occupied orbitals {}, {} and virtual orbitals {}, {} vanishes: "
                            "{:.10g} + {:.10g} - {:.10g} - {:.10g} = {:.3g} Hartree",
                            i, j, ab.first.orbital, ab.second.orbital, e_i, e_j, ab.first.energy, ab.second.energy,
                            e_i + e_j - ab.first.energy - ab.second.energy),
                "eps_occ, eps_vir",
                fmt::format("MP2 needs |e_i + e_j - e_a - e_b| >= {:g}; check the orbitals, or use a method for "
                            "degenerate states",
                            kVanishingDenominator));
}

}  // namespace

void check_denominators(std::span<const double> eps_occ, std::span<const double> eps_vir, std::int64_t first_occupied) {
  if (eps_occ.empty() || eps_vir.empty()) return;
  const double gap =
      *std::min_element(eps_vir.begin(), eps_vir.end()) - *std::max_element(eps_occ.begin(), eps_occ.end());
  if (2 * gap >= kVanishingDenominator) return;
  std::vector<Level> levels(eps_vir.size());
  for (std::size_t a = 0; a < levels.size(); ++a) levels[a] = {eps_vir[a], a};
  std::sort(levels.begin(), levels.end(), [](const Level& x, const Level& y) { return x.energy < y.energy; });
  const auto offset = static_cast<std::size_t>(first_occupied);
  for (std::size_t i = 0; i < eps_occ.size(); ++i) {
    for (std::size_t j = i; j < eps_occ.size(); ++j) {
      const auto nearest = nearest_sum(levels, eps_occ[i] + eps_occ[j]);
      const double denominator = eps_occ[i] + eps_occ[j] - nearest.first.energy - nearest.second.energy;
      if (std::abs(denominator) >= kVanishingDenominator) continue;
      throw_vanishing(i + offset, j + offset, nearest, eps_occ[i], eps_occ[j]);
    }
  }
}

}  // namespace trntensor::quantum
