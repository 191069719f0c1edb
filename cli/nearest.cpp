#include "cli/nearest.hpp"

#include <algorithm>
#include <vector>

namespace trntensor::cli {
namespace {

/// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t exchange = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({exchange, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> names) {
  const std::size_t allowed = std::max<std::size_t>(1, text.size() / 3);
  const auto nearest = std::min_element(names.begin(), names.end(), [&](const std::string& x, const std::string& y) {
    return distance(text, x) < distance(text, y);
  });
  if (nearest == names.end() || distance(text, *nearest) > allowed) return std::nullopt;
  return *nearest;
}

}  // namespace trntensor::cli
