#include <algorithm>

#include "trntensor/plan/optimal_search.hpp"
#include "trntensor/plan/path_finder.hpp"

namespace trntensor::plan {
namespace {

// How much the cap is raised when nothing was found: costs differ by factors of extents.
double cap_growth(const Network& network) {
  double smallest = 16;
  for (const double extent : network.extents) smallest = std::min(smallest, extent);
  return std::max(smallest, 2.0);
}

// The best path, which may be `greedy`.
template <std::size_t kWords>
std::optional<FoundPath> search(const Network& network, const SsaPath& greedy, const SearchControl& control) {
  const double known = total_macs(greedy, network);
  OptimalSearch<kWords> search(network);
  double work = control.work;
  double cap = std::max(search.lower_bound(), 1.0);
  while (true) {
    const bool last = cap >= known;
    std::optional<SsaPath> path = search.run(last ? known : cap, work, control.stop);
    if (path) return FoundPath{std::move(*path), true};
    if (search.exhausted()) return std::nullopt;
    if (last) return FoundPath{greedy, true};
    cap *= cap_growth(network);
  }
}

std::optional<FoundPath> better_than(const SsaPath& greedy, const Network& network, const SearchControl& control) {
  const std::size_t need = std::max(network.tensors.size(), network.extents.size());
  if (need <= 64) return search<1>(network, greedy, control);
  if (need <= 128) return search<2>(network, greedy, control);
  if (need <= 256) return search<4>(network, greedy, control);
  if (need <= 512) return search<8>(network, greedy, control);
  return std::nullopt;
}

}  // namespace

std::optional<FoundPath> optimal_path(const Network& network, const SearchControl& control) {
  return better_than(greedy_path(network, control)->steps, network, control);
}

std::optional<FoundPath> auto_path(const Network& network, const SearchControl& control) {
  // A multiply-add takes 0.05 to 0.5 ns and a unit of work about 1 ns: the search may take some per cent of the
  // contraction's time, but never less than what 0.1 ms buys, since plans are kept.
  constexpr double kMacsPerWork = 200;
  constexpr double kLeastWork = 1e5;
  constexpr double kMostWork = 1e8;
  std::optional<FoundPath> greedy = greedy_path(network, control);
  const double macs = total_macs(greedy->steps, network);
  const double work = std::min(control.work, std::clamp(macs / kMacsPerWork, kLeastWork, kMostWork));
  std::optional<FoundPath> optimal = better_than(greedy->steps, network, {control.stop, work});
  return optimal ? optimal : greedy;
}

}  // namespace trntensor::plan
