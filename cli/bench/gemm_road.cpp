#include "cli/bench/gemm_road.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace trntensor::cli::bench {
namespace {

/// The six choices of one road.
struct Choice {
  bool rows_by_result, columns_by_result, terms_by_second;
  bool transposed_a, transposed_b, transposed_c;
};

Choice choice_of(int number) {
  const auto bit = [number](int i) { return (number >> i & 1) != 0; };
  return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)};
}

GemmRoad road_of(const Contracted& contracted, const std::string& batch, const Choice& choice) {
  const auto& [a, b, c, extents, dtype] = contracted;
  const std::string rows = those_of(choice.rows_by_result ? c : a, choice.rows_by_result ? a : c, b);
  const std::string columns = those_of(choice.columns_by_result ? c : b, choice.columns_by_result ? b : c, a);
  const std::string terms = those_of(choice.terms_by_second ? b : a, choice.terms_by_second ? a : b, c);
  GemmRoad road;
  road.a = batch + (choice.transposed_a ? terms + rows : rows + terms);
  road.b = batch + (choice.transposed_b ? columns + terms : terms + columns);
  road.c = batch + (choice.transposed_c ? columns + rows : rows + columns);
  // (A B)^T = B^T A^T
  road.exchanged = choice.transposed_c;
  road.gemm.dtype = dtype;
  road.gemm.m = contracted.size(road.exchanged ? columns : rows);
  road.gemm.n = contracted.size(road.exchanged ? rows : columns);
  road.gemm.k = contracted.size(terms);
  road.gemm.transposed_a = road.exchanged ? !choice.transposed_b : choice.transposed_a;
  road.gemm.transposed_b = road.exchanged ? !choice.transposed_a : choice.transposed_b;
  road.gemm.batch = contracted.size(batch);
  const double item = 2.0 * static_cast<double>(size_of(dtype));
  if (road.a != a) road.moved_bytes += item * static_cast<double>(contracted.size(a));
  if (road.b != b) road.moved_bytes += item * static_cast<double>(contracted.size(b));
  if (road.c != c) road.moved_bytes += item * static_cast<double>(contracted.size(c));
  return road;
}

}  // namespace

std::vector<GemmRoad> gemm_roads(const Contracted& contracted) {
  constexpr int kChoices = 64;
  const std::string batch = those_of(those_of(contracted.c, contracted.a, ""), contracted.b, "");
  std::vector<GemmRoad> roads;
  std::set<std::string> known;
  for (int number = 0; number < kChoices; ++number) {
    GemmRoad road = road_of(contracted, batch, choice_of(number));
    if (known.insert(road.a + "," + road.b + "," + road.c).second) roads.push_back(std::move(road));
  }
  // Ties by name, so that the order is the same everywhere.
  const auto key = [](const GemmRoad& road) { return std::tie(road.moved_bytes, road.a, road.b, road.c); };
  std::sort(roads.begin(), roads.end(),
            [&](const GemmRoad& one, const GemmRoad& other) { return key(one) < key(other); });
  return roads;
}

}  // namespace trntensor::cli::bench
